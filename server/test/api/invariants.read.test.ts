import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCK_KEYS, tryLock } from "../../src/db/locks.ts";
import type { Database } from "../../src/db/pool.ts";
import { verifyInvariants } from "../../src/oversight/invariants.ts";
import { rechain, whileDamaged } from "../harness/books.ts";
import { createActive, depositBody, ingest, newAddress, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService, TEST_CHAIN } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let campaign: { id: string };
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  campaign = await createActive(
    service,
    merchant.id,
    {},
    { matchMultiplier: 1.234567, maxAmountTotal: usdc(3_000), maxAmountPerUser: usdc(1_500) },
  );
  const [wallet, other] = [newAddress(), newAddress()];
  await ingest(service, depositBody(merchant.id, wallet), depositBody(merchant.id, other, { state: "FAILED" }));
  const participants = new Map<string, string>();
  let participant = { id: "" };
  for (const [user, amount] of [
    ["a", 777],
    ["b", 1],
    ["a", 1_234],
    ["a", 5],
    ["c", 9_999],
    ["b", 3],
    ["a", 5],
  ] as const) {
    participant = (await submit(merchant, campaign.id, submission(user, [wallet, other], amount))).body;
    participants.set(user, participant.id);
  }
  const body = { amount: usdc(1), recipientAddress: wallet };
  const { id } = (
    await service.operator(`/participants/${participant.id}/payouts`, { body, headers: { "idempotency-key": "one" } })
  ).body;
  await service.operator(`/payouts/${id}/status`, { body: { status: "FAILED" } });
  const headers = { "idempotency-key": "a-run" };
  const request = { campaignId: campaign.id, participantIds: [participants.get("b"), participants.get("c")] };
  const run = await service.operator("/payout-runs", { body: request, headers });
  expect(run.status, JSON.stringify(run.body)).toBe(201);
  const receiver = { address: other, reason: "asked by mail" };
  const changed = await service.operator(`/participants/${participants.get("a")}/receiver`, {
    method: "PUT",
    body: receiver,
  });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  // A later deposit's failure and later terms change nothing about what was decided before.
  const terms = { perTradeProfitMatch: { maxAmountTotal: usdc(9_000), maxAmountPerUser: usdc(8_000) } };
  await service.operator(`/campaigns/${campaign.id}`, { method: "PATCH", body: terms });
  const capped = await createActive(service, merchant.id, { displayName: "Capped" }, { maxAmountPerUser: usdc(100) });
  await submit(merchant, capped.id, submission("d", [wallet], 1_000));
  // Nothing can be paid to this wallet, which is on another chain.
  await ingest(service, depositBody(merchant.id, wallet, { chainId: 1 }));
  const elsewhere = { ...submission("e", [], 10), wallets: [{ address: wallet, chain: { id: 1 } }] };
  expect((await submit(merchant, capped.id, elsewhere)).status).toBe(201);
});
afterAll(() => service.close());

const verify = (query = "") => service.operator(`/invariants${query}`);
interface CheckAnswer {
  name: string;
  ok: boolean;
  detail: string;
}

const detailOf = ({ checks }: { checks: CheckAnswer[] }, start: string) =>
  checks.find(({ name }) => name.startsWith(start))?.detail;

const CAPPED = "(select id from campaigns where display_name = 'Capped')";

// The participant, the budget and every sum agree with the higher match.
const RAISED_CAP = [
  `update submission_journal set max_match = 150, match_after = 150, delta = 150, committed_after = 150
   where campaign_id = ${CAPPED} and position = 1`,
  `update submission_journal set committed_after = committed_after + 50 where campaign_id = ${CAPPED} and position = 2`,
  "update participants set max_match = 150, amount_matched = 150 where merchant_user_id = 'd'",
  "update campaigns set committed = committed + 50 where display_name = 'Capped'",
  `update reward_days set amount = amount + 50 where campaign_id = ${CAPPED}`,
];

const of = (user: string) => `(select id from participants where merchant_user_id = '${user}')`;

describe("GET /operator/v1/invariants", () => {
  test("every rule holds, and each says how much it looked at", async () => {
    const { status, body } = await verify();
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toEqual({ ok: true, checks: expect.any(Array), date: expect.stringMatching(/Z$/) });
    expect(body.checks.filter(({ ok }: CheckAnswer) => !ok)).toEqual([]);
    for (const { name, detail } of body.checks)
      expect([name, detail]).toEqual([name, expect.stringMatching(/^[1-9]\d* checked$/)]);
    const tested = new Set([...DAMAGES, ...FORGERIES].map(([start]) => start));
    const untested = body.checks.filter(
      ({ name }: CheckAnswer) => ![...tested].some((start) => name.startsWith(start)),
    );
    expect(untested, "a check without a test that breaks it").toEqual([]);
  });

  // What a bug would leave behind: the digests fit, and exactly one check must see it.
  const DAMAGES: [check: string, damage: string, statements: string | string[]][] = [
    [
      "I1: the matches",
      "a participant that was deleted",
      `do $do$ begin
       perform set_config('session_replication_role', 'replica', true);
       delete from participants where merchant_user_id = 'e';
     end $do$`,
    ],
    ["journal: every position", "a lost row in the middle", "delete from submission_journal where position = 4"],
    [
      "journal: every position",
      "amounts that moved to another row",
      [
        "update submission_journal set delta = delta - 1 where position = 3",
        "update submission_journal set delta = delta + 1 where position = 7",
      ],
    ],
    ["journal: every position", "a second creation", "update submission_journal set created = true where position = 3"],
    [
      "I2: every match",
      "a match above its multiple",
      `update submission_journal set trade_profit = trade_profit - 1
       where position = 1 and campaign_id <> ${CAPPED}`,
    ],
    [
      "I2: every match",
      "a wrong reason for a lower match",
      `update submission_journal set clamped_by = 'CAMPAIGN_BUDGET' where position = 1 and campaign_id <> ${CAPPED}`,
    ],
    ["I2: every cap", "a match above the cap of its time", RAISED_CAP],
    [
      "I1: every submission",
      "a budget that was never set",
      `update submission_journal set max_amount_total = 2999 where position = 1 and campaign_id <> ${CAPPED}`,
    ],
    [
      "I3: every submission",
      "a submission to a paused campaign",
      `update campaign_terms set status = 'PAUSED' where ordinal = 2 and campaign_id <> ${CAPPED}`,
    ],
    [
      "I3: every submission",
      "a deposit that is not there",
      "update submission_journal set qualified_date = qualified_date + interval '1 s'",
    ],
    [
      "I3: every submission",
      "a wallet that it did not name",
      `update submission_journal set wallets = '\\x0001' where position = 2 and campaign_id <> ${CAPPED}`,
    ],
    [
      "I3: no submission claimed",
      "more participants of a wallet than were allowed",
      [
        "update campaign_terms set participants_per_wallet_max = 1",
        "update campaigns set participants_per_wallet_max = 1",
      ],
    ],
    [
      "I2: every participant",
      "a participant with another profit",
      "update participants set trade_profit = trade_profit + 1 where merchant_user_id = 'a'",
    ],
    [
      "I3: every participant",
      "a date without a deposit",
      "update participants set qualified_date = qualified_date + interval '1 s' where merchant_user_id = 'b'",
    ],
    [
      "receivers: every receiver that",
      "a receiver that moved to the user's other wallet",
      `update participants p set receiver_address = w.address_key
       from participant_wallets w where w.participant_id = p.id and w.ordinal = 1 and p.merchant_user_id = 'c'`,
    ],
    [
      "receivers: every receiver is",
      "a change of the receiver that no operator made",
      `update participants set receiver_address = '0x${"1".repeat(40)}' where merchant_user_id = 'a'`,
    ],
    [
      "I2: every campaign",
      "a committed amount that is not the journal's",
      "update campaigns set journal_length = journal_length + 1",
    ],
    [
      "terms:",
      "a cap that was changed in the table",
      "update campaigns set max_amount_per_user = max_amount_per_user + 1",
    ],
    [
      "payouts: open",
      "an open payout that is not there",
      [
        "update participants set payouts_open = 1 where merchant_user_id = 'a'",
        `update campaigns c set payouts_open = (select sum(p.payouts_open) from participants p where p.campaign_id = c.id)`,
      ],
    ],
    ["payouts: open", "a wrong status", "update participants set status = 'PAID' where merchant_user_id = 'a'"],
    [
      "payouts: the status",
      "a payout that did not fail",
      "update payout_events set status = 'SUBMITTED' where ordinal = 2",
    ],
    [
      "payouts: every payout",
      "a payout in another token",
      `update payouts set token_address = '0x${"2".repeat(40)}' where run_id is null`,
    ],
    ["payouts: every payout", "a run in another token", "update payout_runs set chain_id = 1"],
    ["payout runs:", "a total that is not its rows'", "update payout_runs set reserved = reserved + 1"],
    [
      "payout runs:",
      "a run that is settled with open rows",
      "update payout_runs set status = 'CANCELLED', pending_count = 0",
    ],
    [
      "payouts: the open and confirmed",
      "a campaign's open amount",
      "update campaigns set payouts_open = payouts_open - 1 where payouts_open > 0",
    ],
    ["payouts: every proof", "a proof without an event", "update payouts set proof_status = 'PROVEN'"],
    [
      "payouts: every proof",
      "an event of another amount",
      [
        `insert into payout_proofs
           select chain_id, '0xab', 7, merchant_id, id, 1, '0xcd', now() from payouts where ordinal = 1 limit 1`,
        `update payouts o
         set proof_status = 'PROVEN', transaction_hash = '0xab', proof_found = jsonb_build_object('logIndex', 7,
           'tokenAddress', o.token_address, 'recipientAddress', o.recipient_address, 'amount', (o.amount + 1)::text)
         from payout_proofs p where p.payout_id = o.id`,
      ],
    ],
    [
      "I5: the figures of every reported",
      "a user's figures",
      "update deposit_users set completed_micros = completed_micros + 1 where completed_count > 0",
    ],
    [
      "I5: the figures of every reported",
      "a wrong number of wallets",
      "update deposit_users set wallet_count = wallet_count + 1 where completed_count > 0",
    ],
    ["I5: the wallets", "a wrong date of a wallet", "update deposit_wallets set first_deposit_date = now()"],
    ["I5: the wallets", "a wallet without a deposit", "update deposit_wallets set wallet_key = 'x' || user_id"],
    [
      "I5: the figures of every day",
      "a day's figures",
      "update deposit_days set completed_count = completed_count - 1",
    ],
    ["I5: the rewards", "a day's rewards", "update reward_days set amount = amount + 1"],
  ];

  test.each(DAMAGES)("%s finds %s, and no other check does", async (check, _damage, statements) => {
    const broken = await whileDamaged(service.db, statements, async (db) => {
      await rechain(db);
      return brokenChecks(db);
    });
    expect(broken.map(({ name }) => name)).toEqual([expect.stringMatching(new RegExp(`^${check}`))]);
    expect(broken[0]?.detail).toMatch(/wrong, for example .+/);
  });

  // What somebody without the key would leave behind, in places that no other rule looks at.
  const FORGERIES: [check: string, damage: string, statement: string][] = [
    [
      "journal: every digest",
      "another submission id",
      "update submission_journal set submission_id = gen_random_uuid() where position = 3",
    ],
    [
      "journal: every digest",
      "a reward that is another user's",
      "update participants set merchant_user_id = 'mallory' where merchant_user_id = 'b'",
    ],
    [
      "journal: every digest",
      "another wallet in place of a named one",
      `update participant_wallets set address_key = '0x${"3".repeat(40)}' where ordinal = 1 and participant_id = ${of("c")}`,
    ],
    [
      "journal: every digest",
      "a row without a digest",
      "update submission_journal set digest = null, key_version = null where position = 3",
    ],
    [
      "journal: every journal still",
      "a chain that is another than it was",
      "insert into journal_checkpoints select merchant_id, id, journal_length, '\\x00', 0, '', now() from campaigns",
    ],
  ];

  test.each(FORGERIES)("%s finds %s, and no other check does", async (check, _damage, statement) => {
    const broken = await whileDamaged(service.db, statement, brokenChecks);
    expect(broken.map(({ name }) => name)).toEqual([expect.stringMatching(new RegExp(`^${check}`))]);
  });

  test("one merchant is checked alone", async () => {
    const stranger = await registerMerchant(service);
    const { body } = await verify(`?merchantId=${stranger.id}`);
    expect(body.ok).toBe(true);
    expect(detailOf(body, "I2: every cap")).toBe("0 checked");
    const own = (await verify(`?merchantId=${merchant.id.toUpperCase()}`)).body;
    expect(detailOf(own, "I2: every cap")).toBe("9 checked");
    expect((await verify("?merchantId=shop")).status).toBe(400);
  });

  test("503 OVERLOADED with Retry-After while another run is in progress", async () => {
    await service.db.transaction(async (transaction) => {
      expect(await tryLock(transaction, LOCK_KEYS.invariants)).toBe(true);
      const answer = await verify();
      expect([answer.status, answer.body.error.code]).toEqual([503, "OVERLOADED"]);
      expect(answer.headers.get("retry-after")).toBe("1");
    });
    expect((await verify()).status).toBe(200);
  });
});

async function brokenChecks(db: Database): Promise<CheckAnswer[]> {
  const { checks } = await verifyInvariants({ db, clock: () => new Date(), chain: TEST_CHAIN }, null);
  return checks.filter(({ ok }) => !ok);
}
