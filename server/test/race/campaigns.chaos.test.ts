// Deposits arrive, complete and are refunded, windows move, users are submitted, and connections are killed, all at the same time
// and on two server processes. Everything that is read must agree with a recomputation from the deposits.
//
// `npm test` runs a few rounds. `npm run chaos` runs them for two minutes, or as long as MATCHBOOK_CHAOS_SECONDS says. A
// failure names its seed: MATCHBOOK_CHAOS_SEED=… plays the same plan again, though not with the same timing.
import { randomInt } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createActive,
  type DepositChange,
  depositBody,
  newAddress,
  submission,
  submit,
  usdc,
} from "../harness/campaigns.ts";
import { asMerchant, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Answer, type Service, startService } from "../harness/service.ts";

const SECONDS = Number(process.env.MATCHBOOK_CHAOS_SECONDS ?? 0);
const SEED = Number(process.env.MATCHBOOK_CHAOS_SEED ?? randomInt(1, 2 ** 31));
const ROUNDS_MIN = 2;
const MERCHANTS = 3;
const CAMPAIGNS = 3;
const WALLETS = 12;
const KILLS_PER_ROUND = 4;
const BUDGET = 400_000n;

let services: Service[];
let killer: pg.Client;
beforeAll(async () => {
  const service = await startService();
  services = [service, await startService({ database: service.database })];
  killer = new pg.Client({ ...service.database.connection, application_name: "killer" });
  await killer.connect();
});
afterAll(async () => {
  await killer.end();
  await services[1]?.close();
  await services[0]?.close();
});

/** Mulberry32: small, and the same on every machine. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const random = createRandom(SEED);
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
const dayOf = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();
const counts = { rounds: 0, submissions: 0, accepted: 0, deposits: 0, edits: 0, reads: 0, kills: 0, retries: 0 };

/** Wallets of each merchant. In a round, deposits of the first third stay completed, those of the second have none. */
type Kind = "qualified" | "unqualified" | "changing";
const kindOf = (index: number): Kind =>
  index < WALLETS / 3 ? "qualified" : index < (2 * WALLETS) / 3 ? "unqualified" : "changing";

interface Scene {
  readonly merchants: readonly Merchant[];
  readonly campaigns: { readonly id: string; endDay: number }[];
  readonly wallets: readonly { readonly address: string; readonly kind: Kind }[];
  /** What each deposit is now, by its id. */
  readonly deposits: Map<string, { address: string; day: number; completed: boolean }>;
  events: number;
}

async function createScene(): Promise<Scene> {
  const [first] = services as [Service];
  const { id, keys } = await registerMerchant(first);
  const campaigns = [];
  for (let index = 0; index < CAMPAIGNS; index++) {
    const terms = { maxAmountTotal: usdc(BUDGET), maxAmountPerUser: usdc(1_000) };
    const change = { startDate: dayOf(1), endDate: dayOf(10 + index) };
    campaigns.push({ id: (await createActive(first, id, change, terms)).id, endDay: 10 + index });
  }
  const scene: Scene = {
    merchants: services.map((service) => asMerchant(service, id, keys)),
    campaigns,
    wallets: Array.from({ length: WALLETS }, (_, index) => ({ address: newAddress(), kind: kindOf(index) })),
    deposits: new Map(),
    events: 0,
  };
  for (const [index, { address, kind }] of scene.wallets.entries()) {
    if (kind === "qualified") await report(scene, `stays-${index}`, address, 1 + index, true);
    // Completed, but before the window; or in the window, but not completed.
    if (kind === "unqualified") await report(scene, `never-${index}`, address, index % 2 ? 5 : -10, index % 2 === 0);
  }
  return scene;
}

/** Calls until the answer is not that the database or the connection failed: every call here is safe to repeat. */
async function persist(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
    counts.retries++;
  }
}

async function report(scene: Scene, id: string, address: string, day: number, completed: boolean): Promise<void> {
  const [merchant] = scene.merchants as [Merchant];
  const change: DepositChange = {
    id,
    state: completed ? "COMPLETED" : "FAILED",
    createDate: dayOf(day),
    updateDate: new Date(Date.UTC(2026, 1, 1) + ++scene.events * 1_000).toISOString(),
  };
  scene.deposits.set(id, { address, day, completed });
  const body = { deposits: [depositBody(merchant.id, address, change)] };
  const answer = await persist(() => pick(services).operator("/deposits", { body }));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  counts.deposits++;
}

/** The wallets that qualify for a campaign that ends on this day, each with its earliest completed deposit. */
function recompute({ deposits }: Scene, endDay: number): Map<string, string> {
  const days = new Map<string, number>();
  for (const { address, day, completed } of deposits.values()) {
    if (completed && day >= 1 && day <= endDay) days.set(address, Math.min(day, days.get(address) ?? day));
  }
  return new Map([...days].map(([address, day]) => [address, dayOf(day)]));
}

interface Shown {
  readonly address: string;
  readonly qualifiedDate: string;
}

async function readWallets(merchant: Merchant, campaignId: string, query: string): Promise<Map<string, string>> {
  const path = `/v1/marketings/campaigns/${campaignId}/qualifiedWallets?limit=100${query}`;
  const { status, body } = await persist(() => merchant.call(path));
  expect(status).toBe(200);
  counts.reads++;
  return new Map(body.items.map((item: Shown) => [item.address, item.qualifiedDate]));
}

const checkOf = ({ wallets }: Scene) => wallets.map(({ address }) => `&address=${address}`).join("");

/** While everything moves: what does not change in this round reads the same all the time. */
async function readInMotion(scene: Scene): Promise<void> {
  const { id } = pick(scene.campaigns);
  const found = await readWallets(pick(scene.merchants), id, pick(["", checkOf(scene)]));
  for (const { address, kind } of scene.wallets) {
    if (kind !== "changing") expect(found.has(address), `${kind} ${address}`).toBe(kind === "qualified");
  }
}

interface Sent {
  readonly scene: Scene;
  readonly campaignId: string;
  readonly user: string;
  /** Null: the client does not know. */
  readonly accepted: boolean | null;
}

async function submitInMotion(scene: Scene, user: string): Promise<Sent> {
  const { id: campaignId } = pick(scene.campaigns);
  const wallets = [pick(scene.wallets), pick(scene.wallets)];
  const body = submission(
    user,
    wallets.map(({ address }) => address),
    random(700),
  );
  const answer = await submit(pick(scene.merchants), campaignId, body);
  counts.submissions++;
  const code = answer.body.error?.code;
  const kinds = wallets.map(({ kind }) => kind);
  if (answer.status === 503) return { scene, campaignId, user, accepted: null };
  if (answer.status === 201) expect(kinds).not.toEqual(["unqualified", "unqualified"]);
  else {
    expect([answer.status, code]).toEqual([422, "NO_QUALIFYING_WALLET"]);
    expect(kinds).not.toContain("qualified");
  }
  counts.accepted += answer.status === 201 ? 1 : 0;
  return { scene, campaignId, user, accepted: answer.status === 201 };
}

async function killSome(isOver: () => boolean): Promise<void> {
  for (let kills = 0; kills < KILLS_PER_ROUND && !isOver(); ) {
    const { rowCount } = await killer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'matchbook' and usename = $1 and xact_start is not null
       order by random() limit 1`,
      [services[0]?.database.runtimeConnection.user],
    );
    kills += rowCount ?? 0;
    counts.kills += rowCount ?? 0;
  }
}

async function runRound(scenes: readonly Scene[], round: number): Promise<Sent[]> {
  let isOver = false;
  const killing = killSome(() => isOver);
  const work = scenes.flatMap((scene, merchant) => [
    // A deposit's events are reported in order. The deposits of the changing wallets complete, are refunded and complete again.
    ...scene.wallets
      .filter(({ kind }) => kind === "changing")
      .map(async ({ address }, wallet) => {
        for (let step = 0; step < 3; step++) {
          const deposit = random(3);
          const day = 1 + ((wallet * 3 + deposit * 5) % 16);
          await report(scene, `${merchant}-${wallet}-${deposit}`, address, day, random(3) > 0);
        }
      }),
    (async () => {
      const campaign = pick(scene.campaigns);
      campaign.endDay += random(2);
      const edit = { method: "PATCH", body: { endDate: dayOf(campaign.endDay) } };
      const edited = await persist(() => pick(services).operator(`/campaigns/${campaign.id}`, edit));
      expect(edited.status, JSON.stringify(edited.body)).toBe(200);
      counts.edits++;
    })(),
    ...Array.from({ length: 4 }, () => readInMotion(scene)),
  ]);
  const submissions = scenes.flatMap((scene) =>
    Array.from({ length: 6 }, async (_, client) => {
      const own: Sent[] = [];
      for (let number = 0; number < 5; number++) own.push(await submitInMotion(scene, `${round}-${client}-${number}`));
      return own;
    }),
  );
  try {
    const [sent] = await Promise.all([Promise.all(submissions), Promise.all(work)]);
    return sent.flat();
  } finally {
    isOver = true;
    await killing;
  }
}

/** Everything at rest: list, check, submission, participants' wallets and journal are what the deposits say. */
async function expectAgreement(scenes: readonly Scene[], sent: readonly Sent[]): Promise<void> {
  await Promise.all(scenes.map(expectRecomputation));
  const rows = await (services[0] as Service).db.query<{ key: string; count: number }>(
    `select j.campaign_id || ' ' || p.merchant_user_id as key, count(*)::integer as count
     from submission_journal j
     join participants p on p.merchant_id = j.merchant_id and p.id = j.participant_id
     group by 1`,
  );
  const inJournal = new Map(rows.map(({ key, count }) => [key, count]));
  for (const { campaignId, user, accepted } of sent) {
    const count = inJournal.get(`${campaignId} ${user}`) ?? 0;
    if (accepted === null) expect(count).toBeLessThanOrEqual(1);
    else expect([user, count]).toEqual([user, accepted ? 1 : 0]);
  }
  const verdict = await (services[0] as Service).operator("/invariants");
  expect(verdict.body).toMatchObject({ ok: true });
}

async function expectRecomputation(scene: Scene): Promise<void> {
  const merchant = pick(scene.merchants);
  for (const { id, endDay } of scene.campaigns) {
    const expected = recompute(scene, endDay);
    expect(await readWallets(merchant, id, "")).toEqual(expected);
    expect(await readWallets(merchant, id, checkOf(scene))).toEqual(expected);
    for (const { address } of scene.wallets.filter(({ kind }) => kind === "changing")) {
      const answer = await persist(() => submit(merchant, id, submission("somebody", [address]), "?dryRun=true"));
      expect([address, answer.status]).toEqual([address, expected.has(address) ? 200 : 422]);
    }
    await expectParticipants(merchant, id, expected);
  }
}

async function expectParticipants(merchant: Merchant, campaignId: string, qualified: Map<string, string>) {
  const path = `/v1/marketings/campaigns/${campaignId}/participants?limit=100`;
  const { body } = await persist(() => merchant.call(path));
  for (const { associatedWallets } of body.items as { associatedWallets: Shown[] }[]) {
    for (const { address, qualifiedDate } of associatedWallets) {
      expect([address, qualifiedDate]).toEqual([address, qualified.get(address) ?? null]);
    }
  }
}

test(
  `submissions, checks and the list always agree with the deposits (seed ${SEED})`,
  async () => {
    const until = performance.now() + SECONDS * 1_000;
    for (let scenes: Scene[] = []; counts.rounds < ROUNDS_MIN || performance.now() < until; counts.rounds++) {
      // Windows only grow and budgets only shrink, so a long run starts again with new merchants.
      if (counts.rounds % 20 === 0) scenes = await Promise.all(Array.from({ length: MERCHANTS }, createScene));
      await expectAgreement(scenes, await runRound(scenes, counts.rounds));
    }
    expect(counts.kills).toBeGreaterThanOrEqual(ROUNDS_MIN);
    expect(counts.accepted).toBeGreaterThan(0);
    if (SECONDS > 0) console.info(`seed ${SEED}: ${JSON.stringify(counts)}`);
  },
  60_000 + SECONDS * 1_500,
);
