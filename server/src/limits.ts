// Every number of the specification and of our own decisions, in one place. Units come last in a name.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

// Lists. An item shows at most so many of its wallets; the others are in a list of their own.
export const NESTED_WALLETS_MAX = 100;
export const PAGE_LIMIT_DEFAULT = 25;
export const PAGE_LIMIT_MAX = 100;
export const CURSOR_LENGTH_MAX = 1_024;

// Registration.
export const EMAIL_LENGTH_MAX = 255;
export const DOMAIN_LENGTH_MAX = 255;
export const PUBLIC_KEY_LENGTH_MAX = 4_096;
export const TELEGRAM_LENGTH_MIN = 3;
export const TELEGRAM_LENGTH_MAX = 64;
export const DESCRIPTION_LENGTH_MIN = 20;
export const DESCRIPTION_LENGTH_MAX = 1_000;
export const DISPLAY_NAME_LENGTH_MAX = 255;
export const REASON_LENGTH_MAX = 1_000;
export const THROTTLE_WINDOW_MS = HOUR_MS;
export const REFUSED_APPLICATIONS_FACTOR = 10;

// Domains.
export const ADDITIONAL_DOMAINS_MAX = 10;
export const FREE_LOCALHOST_PORTS: readonly number[] = [3000, 5173, 5175];
// A call to the registry ends by itself before its lease does; the margin is for slow commits and clocks that differ.
export const REGISTRY_TIMEOUT_MS = 5 * SECOND_MS;
export const REGISTRY_LEASE_MARGIN_MS = 3 * SECOND_MS;
export const REGISTRY_WAIT_INTERVAL_MS = 50;
// A merchant's contact is mailed about new domains at most this often.
export const DOMAIN_MAIL_INTERVAL_MS = HOUR_MS;

// Authentication.
export const SIGNATURE_AGE_MAX_MS = 15 * MINUTE_MS;
export const SIGNATURE_LEEWAY_AHEAD_MS = 60 * SECOND_MS;
export const AUTHORIZATION_HEADER_LENGTH_MAX = 4_096;
// Ids we issue are UUIDs. A longer or stranger one is merely unknown, but must not be of any length.
export const MERCHANT_ID_LENGTH_MAX = 128;
export const MERCHANT_CACHE_MS = 500;
export const MERCHANT_CACHE_MARGIN_MS = 100;
export const MERCHANTS_CACHED_MAX = 10_000;
// The proof of an application. A domain and an email of 255 characters fit, however their JSON is spelled.
export const PROOF_PAYLOAD_LENGTH_MAX = 8_192;
export const PROOF_SIGNATURE_LENGTH_MAX = 256;

// Amounts, addresses and chains.
export const AMOUNT_DIGITS_MAX = 78;
export const USD_INTEGER_DIGITS_MAX = 15;
export const USD_FRACTION_DIGITS_MIN = 2;
export const USD_FRACTION_DIGITS_MAX = 6;
export const USD_LENGTH_MAX = USD_INTEGER_DIGITS_MAX + 1 + USD_FRACTION_DIGITS_MAX;
export const MULTIPLIER_MAX = 1_000_000;
export const MULTIPLIER_FRACTION_DIGITS_MAX = 6;
export const ADDRESS_LENGTH_MAX = 128;
// Ethereum's tokens go to 18 and a few others beyond; 36 keeps every product of amounts small.
export const TOKEN_DECIMAL_PLACES_MAX = 36;
export const TOKEN_SYMBOL_LENGTH_MAX = 16;
export const CHAIN_ID_MAX = Number.MAX_SAFE_INTEGER;

// Campaigns.
export const MERCHANT_USER_ID_LENGTH_MAX = 255;
export const WALLETS_PER_SUBMISSION_MAX = 100;
export const WALLETS_PER_PARTICIPANT_MAX = 1_000;
// Claims are counted for every wallet of a submission, up to the campaign's limit.
export const PARTICIPANTS_PER_WALLET_MAX = 1_000;
export const ADDRESS_FILTERS_MAX = 100;
export const SUBMISSION_CURRENCY = "USDC";
export const SUBMISSION_DECIMAL_PLACES = 6;
export const INSTANT_LENGTH_MAX = 64;
export const TRANSACTION_HASH_LENGTH_MAX = 128;
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
// One address may have deposited on many chains; an answer that would be longer than this is paged after all.
export const BATCH_CHECK_ITEMS_MAX = 10_000;
// A batch is one transaction. Its work is counted in wallets. While several merchants wait, each has a share of it. The queue of a
// campaign holds more than the requests that one process has in progress.
export const SUBMISSION_BATCH_WALLETS_MAX = 256;
export const SUBMISSION_SHARE_WALLETS_MAX = 64;
export const SUBMISSION_BATCH_CAMPAIGNS_MAX = 64;
export const SUBMISSION_BATCHES_MAX = 3;
export const SUBMISSIONS_QUEUED_MAX = 1_000;
export const COMMIT_UNKNOWN_ATTEMPTS_MAX = 8;
export const COMMIT_UNKNOWN_PAUSE_MS = 25;
// A page of qualified wallets first visits so many of the merchant's wallets for each of its items. If that is not enough, it
// reads at most so many deposits in the window, or visits more wallets.
export const WALLETS_VISITED_PER_ITEM = 10;
export const WALLETS_VISITED_MAX = 5_000;
export const WINDOW_DEPOSITS_MAX = 50_000;
// How far a sandbox campaign reaches back and ahead by default.
export const TEST_WINDOW_MS = 30 * DAY_MS;
export const OWED_PAGE_ROWS = 1_000;
export const ADDRESSES_CHECKED_AT_ONCE = 1_000;
// What is owed is counted by its age in days: younger than the first, younger than the second, and so on, and older.
export const OWED_AGES_DAYS = [7, 30, 90] as const;
// A run is created in one transaction that holds its campaigns. What is more goes into the next run.
export const PAYOUTS_PER_RUN_MAX = 10_000;
// A line of results with a hash and no long reason has about 200 bytes.
export const PAYOUT_RUN_BODY_SIZE_MAX_BYTES = 4 * 1_024 * 1_024;
export const LEFT_OUT_STORED_MAX = 1_000;
export const LEFT_OUT_LISTED_MAX = 10;
export const SAFE_BATCH_TRANSFERS_MAX = 200;
export const RUN_NOTE_LENGTH_MAX = 1_000;

// Proof on chain. 64 blocks are what Ethereum takes to make a block final, 13 minutes; on chains with quicker blocks it is less.
export const CHAINS_MAX = 50;
export const CHAIN_URL_LENGTH_MAX = 2_048;
// A payout that a person confirmed is looked up as well, if that was not longer ago.
export const CHAIN_CONFIRMED_SINCE_MS = 7 * DAY_MS;
export const CHAIN_CONFIRMATIONS_DEFAULT = 64;
export const CHAIN_CONFIRMATIONS_MAX = 100_000;
export const CHAIN_CALL_TIMEOUT_MS = 5 * SECOND_MS;
export const CHAIN_CALL_ATTEMPTS_MAX = 2;
// A receipt with 10,000 transfers has about 7 MB.
export const CHAIN_ANSWER_SIZE_MAX_BYTES = 16 * 1_024 * 1_024;
export const CHAIN_CALLS_AT_ONCE = 4;
// A pass ends long before its lease, so that no other process begins one meanwhile.
export const CHAIN_PASS_MAX_MS = 20 * SECOND_MS;
export const CHAIN_TRANSACTIONS_PER_PASS = 500;
export const CHAIN_LOOK_INTERVAL_MS = 5 * SECOND_MS;
// A transaction that is not found is looked for less often the longer that lasts.
export const CHAIN_LOOK_INTERVAL_LAST_MS = 10 * MINUTE_MS;
export const CHAIN_LANE_CONCURRENCY = 4;
export const CHAIN_JOBS_CHECK_INTERVAL_MS = MINUTE_MS;
export const REVERT_REASON_LENGTH_MAX = 200;

// Deposits.
export const DEPOSITS_PER_BATCH_MAX = 1_000;
export const DEPOSITS_BODY_SIZE_MAX_BYTES = 2 * 1_024 * 1_024;
export const DEPOSIT_ID_LENGTH_MAX = 128;
export const PAYER_ID_LENGTH_MAX = 255;
// An event from further ahead is a mistake. Taken, it would be newer than every true event, and freeze its deposit.
export const EVENT_AHEAD_MAX_MS = 24 * HOUR_MS;
// Batches of one moment add to the same day. With this many rows for a day, they rarely wait for each other.
export const DEPOSIT_DAY_SHARDS = 16;

// Operators.
export const OPERATOR_TOKEN_LENGTH_MAX = 512;
export const SESSION_LIFE_MS = 12 * HOUR_MS;
export const WRONG_SIGN_INS_PER_MINUTE_MAX = 10;
// More than for people: a fleet whose token has just expired should read 401, the reason, for a while.
export const WRONG_BEARERS_PER_MINUTE_MAX = 100;
// Of all clients together, so that a flood from many addresses does not fill the audit log.
export const REFUSALS_AUDITED_PER_MINUTE_MAX = 60;
export const REFUSED_CLIENTS_REMEMBERED_MAX = 10_000;
export const REVOKED_TOKENS_LISTED_MAX = 1_000;
export const TOKEN_NAME_LENGTH_MAX = 100;
export const TOKEN_DAYS_DEFAULT = 90;
export const TOKEN_DAYS_MAX = 3_650;
// How long a request waits for a second person, and how long an approved token waits for who asked for it.
export const APPROVAL_HOURS = 72;
export const APPROVAL_LIFE_MS = APPROVAL_HOURS * HOUR_MS;
export const APPROVALS_EXPIRED_AT_ONCE_MAX = 100;
export const APPROVAL_THRESHOLDS_MAX = 100;
export const INVARIANTS_TIMEOUT_MS = 2 * MINUTE_MS;
// A full run reads a table in parts, each with a statement that may take that long.
export const FULL_PART_ROWS = 10_000;
export const INVARIANTS_CHAIN_MAX_MS = 4 * MINUTE_MS;
// The background audit. A step is one short transaction. Everything new is checked once a minute. All rows are read again at 500 a
// second of each table: a million in about 35 minutes, 10⁸ in about 56 hours. A round that is done starts again after an hour.
export const AUDIT_TICK_MS = SECOND_MS;
export const AUDIT_NEWS_INTERVAL_MS = MINUTE_MS;
export const AUDIT_AGAIN_INTERVAL_MS = 2 * SECOND_MS;
export const AUDIT_ROUND_INTERVAL_MS = HOUR_MS;
export const AUDIT_ROWS_PER_STEP = 1_000;
export const AUDIT_CAMPAIGNS_PER_STEP = 1_000;
// What a campaign with anything new counts at least, so that a step has at most 100 of them.
export const AUDIT_CAMPAIGN_ROWS = 10;
export const AUDIT_FINDINGS_MAX = 100;
export const AUDIT_STATEMENT_TIMEOUT_MS = 30 * SECOND_MS;
// Of the journal, while its chain is verified: about 10 ms of this program.
export const CHAIN_PAGE_ROWS = 1_000;
// A run ends by itself before its caller gets a timeout.
export const AUDIT_VERIFICATION_TIMEOUT_MS = 5 * MINUTE_MS;
export const AUDIT_VERIFICATION_DURATION_MAX_MS = 4 * MINUTE_MS;
export const SEARCH_LENGTH_MAX = 255;
export const ACTOR_LENGTH_MAX = 255;
export const ACTION_LENGTH_MAX = 64;
export const SUBJECT_LENGTH_MAX = 255;
// Ids that share their first eight digits are rare. More than this is a mistake.
export const ID_MATCHES_MAX = 20;
// Deposit ids may all start alike. Of more than these, those with a certain end are not looked for.
export const DEPOSIT_IDS_LOOKED_AT_MAX = 100_000;
export const MERCHANTS_NAMED_MAX = 100;
export const SAME_MERCHANTS_MAX = 10;
export const BURNDOWN_POINTS_MAX = 101;
export const PREVIEWED_PROFITS_MAX = 20;

// The overview. A person reads it, so what is more than these is counted or shown no further.
export const OVERVIEW_COUNT_MAX = 10_000;
export const OVERVIEW_FAILED_COUNT_MAX = 1_000;
export const OVERVIEW_ROWS_MAX = 10;
export const OVERVIEW_JOBS_MAX = 20;
export const OVERVIEW_DAYS_DEFAULT = 30;
export const OVERVIEW_DAYS_MAX = 90;

// HTTP. A body or header that takes longer than this to arrive is not from a healthy client.
export const REQUEST_RECEIVE_TIMEOUT_MS = 10 * SECOND_MS;
export const CONNECTIONS_CHECK_INTERVAL_MS = SECOND_MS;
export const KEEP_ALIVE_TIMEOUT_MS = 65 * SECOND_MS;
export const HANDLER_TIMEOUT_MS = 20 * SECOND_MS;
export const HANDLER_SWEEP_INTERVAL_MS = SECOND_MS;
export const HEADERS_SIZE_MAX_BYTES = 16 * 1_024;
export const BODY_SIZE_MAX_BYTES = 64 * 1_024;
// `address` may come 100 times, beside every other filter.
export const QUERY_PAIRS_MAX = 200;
export const JSON_DEPTH_MAX = 32;
// Requests in progress in one process, by listener. Unauthenticated callers have few places: their work is short.
export const AUTHENTICATED_REQUESTS_MAX = 1_000;
export const UNAUTHENTICATED_REQUESTS_MAX = 100;
// A merchant's share of a process. The limits count requests in progress: running, or waiting for their turn. Operators can
// change these for all merchants or for one.
export const REQUESTS_PER_MERCHANT_DEFAULT = 100;
// 300 submissions at the same time are never refused.
export const SUBMISSIONS_PER_MERCHANT_DEFAULT = 400;
export const DEPOSIT_BATCHES_PER_MERCHANT_DEFAULT = 16;
export const PER_MERCHANT_MAX = 1_000;
// How many run at the same time, where connections do not decide it. A merchant's own submissions are one full batch, so that
// those of another merchant wait for little.
export const SUBMISSIONS_RUNNING_MAX = 200;
export const SUBMISSIONS_RUNNING_PER_MERCHANT_MAX = 64;
export const DOMAIN_CALLS_PER_MERCHANT_MAX = 50;
// How many wait, of all merchants. Together with those that run they fit into AUTHENTICATED_REQUESTS_MAX. A batch of deposits
// is up to 2 MB, so few of them wait.
export const REQUESTS_WAITING_MAX = 400;
export const SUBMISSIONS_WAITING_MAX = 400;
export const DEPOSIT_BATCHES_WAITING_MAX = 32;
// How long a request waits for its turn. A change is worth waiting longer for: it would be signed and sent again.
export const READ_WAIT_MAX_MS = SECOND_MS;
export const CHANGE_WAIT_MAX_MS = 5 * SECOND_MS;
export const SHARE_RETRY_AFTER_SECONDS = 1;
// A longer answer counts as several requests, because the process does nothing else while it is written: the largest pages took
// 47 and 66 ms of its time each in two runs, a page of 25 deposits 3 ms, on a busy machine with two cores.
export const HEAVY_ANSWER_BYTES = 256 * 1_024;
// How many bytes of a connection are parsed in one step. The smallest requests have 18 bytes, so few bytes are few requests.
export const PARSED_AT_ONCE_MIN_BYTES = 1_024;
export const PARSED_AT_ONCE_MAX_BYTES = 8 * 1_024;
// A request that was sent before the answer to the one before it lets other connections go first.
export const PIPELINED_PAUSE_MS = 1;
// An answer of which the system took nothing for this long has no reader. TCP opens its window in steps of up to half a
// buffer, so a slow reader shows progress only now and then.
export const ANSWER_STALL_MAX_MS = 20 * SECOND_MS;
// How long a connection stays open after an answer that ends it, so that the client can read it.
export const RAW_ANSWER_LINGER_MS = SECOND_MS;
export const OVERLOADED_RETRY_AFTER_SECONDS = 1;

// Connections, counted for each listener by itself, so that a flood on one leaves the others alone. The totals are far below
// the 20,000 or more open files that a process usually may have.
export const CONNECTIONS_PER_ADDRESS_DEFAULT = 256;
export const CONNECTIONS_MAX_DEFAULT = 10_000;
export const OPERATOR_CONNECTIONS_MAX = 1_000;

// Server processes. They are asked every second whether they still answer; what counts is missed answers, not
// time, so that a host that slept does not count against any process.
export const HEARTBEAT_INTERVAL_MS = SECOND_MS;
export const HEARTBEATS_MISSED_SILENT = 3;
export const HEARTBEATS_MISSED_DEAD = 10;
export const WORKER_START_TIMEOUT_MS = MINUTE_MS;
export const WORKER_RESTART_DELAY_MS = SECOND_MS;

// Database. A statement outlives no handler; a wait for a connection is shorter than either.
export const POOL_SIZE_MAX = 10;
// The oldest server that we test with, and what a start allows it.
export const POSTGRES_VERSION_MIN = 15;
export const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;
export const CLOCK_DIFFERENCE_MAX_MS = 5 * SECOND_MS;
// How long an answer of /readyz stands for the next ones.
export const READINESS_REMEMBERED_MS = SECOND_MS;
// While another program migrates, a start asks again this often whether it is done.
export const MIGRATION_WAIT_MS = 250;
// The shares of a process's connections that serve only unauthenticated calls, and only operators. The rest is for merchants
// and deposits.
export const STRANGERS_POOL_SHARE = 0.2;
export const OPERATORS_POOL_SHARE = 0.25;
export const POOL_WAIT_TIMEOUT_MS = 3 * SECOND_MS;
export const STATEMENT_TIMEOUT_MS = 10 * SECOND_MS;
export const LOCK_TIMEOUT_MS = 5 * SECOND_MS;
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10 * SECOND_MS;
export const TRANSACTION_ATTEMPTS_MAX = 10;

// Outbox. Backoff doubles from the first value to the last; a job that keeps failing is given up and shown.
// How long a new job waits at most for a free lane. A poll is one probe of a small index, for each lane of each process.
export const OUTBOX_POLL_INTERVAL_MS = 250;
// A job planned for later than this is not counted as waiting. Longer than any lease on a registry call.
export const OUTBOX_SOON_MS = MINUTE_MS;
// How many jobs of a lane a process runs at the same time.
export const MAIL_LANE_CONCURRENCY = 10;
export const REGISTRY_LANE_CONCURRENCY = 10;
// An attempt ends before its lease does, so that no other process runs the job at the same time.
export const OUTBOX_LEASE_MS = MINUTE_MS;
export const OUTBOX_ATTEMPT_MAX_MS = 50 * SECOND_MS;
export const OUTBOX_BACKOFF_FIRST_MS = 2 * SECOND_MS;
export const OUTBOX_BACKOFF_LAST_MS = 15 * MINUTE_MS;
export const OUTBOX_ATTEMPTS_MAX = 200;
export const MAIL_TIMEOUT_MS = 20 * SECOND_MS;

// Stopping, in order; with the default drain, together they stay below the promised ten seconds.
export const DRAIN_SECONDS_DEFAULT = 1;
// For connections that wait for a worker when the ports are closed.
export const SHUTDOWN_DISPATCH_MS = SECOND_MS;
export const SHUTDOWN_FRESH_CONNECTIONS_MS = 250;
// What a worker may take in all, before it is killed.
export const SHUTDOWN_WORKER_MS = 7 * SECOND_MS;
export const SHUTDOWN_IN_FLIGHT_MS = 4 * SECOND_MS;
export const SHUTDOWN_OUTBOX_MS = 2 * SECOND_MS;
