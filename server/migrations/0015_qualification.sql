-- Qualification is asked of the deposits themselves (docs/decisions/0021-qualification-without-derived-state.md).
drop table qualified_wallets;
drop table merchant_guards;
