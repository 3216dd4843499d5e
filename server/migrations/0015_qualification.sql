-- Qualification is asked of the deposits themselves (docs/decisions/0021-qualification-without-derived-state.md).
drop table qualified_wallets;
drop table merchant_guards;

-- Plans rely on the statistics of this table, and new merchants bring many rows quickly.
alter table deposits set (autovacuum_analyze_scale_factor = 0.02);
