-- A console session stands for the token that opened it, and ends with it: whoever revokes a token ends its sessions.
create table operator_sessions (
  id_hash bytea not null,
  token_hash bytea not null,
  create_date timestamptz(3) not null,
  expire_date timestamptz(3) not null,
  constraint operator_sessions_pkey primary key (id_hash)
);
create index operator_sessions_by_end on operator_sessions (expire_date);
