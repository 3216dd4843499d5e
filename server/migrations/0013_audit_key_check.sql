-- A value made from the key of the newest row. A process with another secret sees the difference before it writes a row.
-- Null until the next row is written.
alter table audit_head add column key_check bytea;
