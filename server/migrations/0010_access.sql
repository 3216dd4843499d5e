-- Tokens and sessions are stored as MACs under MATCHBOOK_SECRET, so that writing to the database mints none. `key_version`
-- says which version of the secret. `seal` is a MAC over the row's rights, so that they cannot be edited either.
-- Version 0 stands for the plain hashes of before. They open nothing any more, so those tokens are revoked.
alter table operator_tokens
  add column key_version integer not null default 0,
  add column seal bytea not null default '\x',
  -- Null: made on the host, on the command line or with the bootstrap token.
  add column created_by uuid;
alter table operator_tokens
  add constraint operator_tokens_creator_fkey foreign key (created_by) references operator_tokens (id);
create index operator_tokens_by_creator on operator_tokens (created_by) where created_by is not null;
update operator_tokens set revoke_date = coalesce(revoke_date, now());

drop table operator_sessions;
create table operator_sessions (
  id_hash bytea not null,
  key_version integer not null,
  -- Null: the bootstrap token, which is in no table. The seal says which one it was.
  token_id uuid,
  seal bytea not null,
  create_date timestamptz(3) not null,
  expire_date timestamptz(3) not null,
  constraint operator_sessions_pkey primary key (id_hash)
);
alter table operator_sessions
  add constraint operator_sessions_token_fkey foreign key (token_id) references operator_tokens (id);
create index operator_sessions_by_end on operator_sessions (expire_date);

-- The version of the secret that each row's MAC is made with. It never decreases along the chain.
alter table audit_log add column key_version integer not null default 1;
alter table audit_head add column key_version integer not null default 1;

-- Whether the bootstrap token is switched off: the last of these rows tells.
create index audit_log_bootstrap on audit_log (position) where action in ('bootstrap.close', 'bootstrap.open');

-- One table counts whatever is limited per client: applications, and wrong operator tokens.
alter table application_throttle rename to rate_limits;
alter table rate_limits rename column outcome to scope;
alter table rate_limits rename constraint application_throttle_pkey to rate_limits_pkey;
alter index application_throttle_by_end rename to rate_limits_by_end;
delete from rate_limits;
