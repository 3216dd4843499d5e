import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { createSeals } from "../../src/access/seals.ts";
import { createToken } from "../../src/access/tokens.ts";
import { createAudit } from "../../src/audit/audit.ts";
import { systemClock } from "../../src/clock.ts";
import { idOfKey } from "../../src/http/idempotency.ts";
import { createKeyring } from "../../src/keyring.ts";
import { createDraft, depositBody, ingest, newAddress, qualify, submission, submit, usdc } from "./campaigns.ts";
import { generateKeys, registerMerchant } from "./merchant.ts";
import { type Answer, type CallOptions, call, OPERATOR_TOKEN, SECRET, type Service, startService } from "./service.ts";

/** Somebody who calls `/operator/v1` with a token. */
export interface Operator {
  readonly id: string | null;
  readonly token: string;
  call(path: string, options?: CallOptions): Promise<Answer>;
}

export interface FourEyes {
  /** With APPROVALS=on. */
  readonly service: Service;
  /** The same database without approvals, to prepare things. */
  readonly free: Service;
  operatorWith(token: string, id?: string | null, at?: Service): Operator;
  /** A person: the token is made as on the host. */
  person(name: string): Promise<Operator>;
  close(): Promise<void>;
}

export async function startFourEyes(options: Parameters<typeof startService>[0] = {}): Promise<FourEyes> {
  const service = await startService({ ...options, variables: { APPROVALS: "on", ...options.variables } });
  const free = await startService({ ...options, variables: {}, database: service.database });
  const keyring = createKeyring(SECRET, "production");
  const seals = createSeals(keyring, OPERATOR_TOKEN);
  const operatorWith = (token: string, id: string | null = null, at = service): Operator => ({
    id,
    token,
    call: (path, request = {}) =>
      call(`${at.operatorUrl}/operator/v1${path}`, {
        ...request,
        headers: { authorization: `Bearer ${token}`, ...request.headers },
      }),
  });
  return {
    service,
    free,
    operatorWith,
    async person(name) {
      const { token, secret } = await createToken(
        { db: service.db, clock: options.clock ?? systemClock, audit: createAudit(keyring), seals },
        { name, role: "operator" },
        { name: "command line (test)", requestId: null },
        { onHost: true },
      );
      return operatorWith(secret ?? "", token.id);
    },
    async close() {
      await free.close();
      await service.close();
    },
  };
}

/** One call that needs a second person, and the audit entry that shows that it was made. */
export interface CoveredCall {
  readonly path: string;
  readonly options: CallOptions;
  readonly subject: string;
}

const REASON = "ticket 4711";

/** How each covered call is made ready. Each makes a merchant, a campaign and a participant of its own. */
export const COVERED = {
  "campaign.activate": async (free) => {
    const { id } = await createDraft(free, (await registerMerchant(free)).id);
    return { path: `/campaigns/${id}/activate`, options: { body: { reason: REASON } }, subject: id };
  },
  "campaign.edit": async (free) => {
    const { id } = await ready(free);
    const body = { perTradeProfitMatch: { maxAmountTotal: { amount: "200000000000" } } };
    return { path: `/campaigns/${id}`, options: { method: "PATCH", body }, subject: id };
  },
  "merchant.rotate-key": async (free) => {
    const { id } = await registerMerchant(free);
    const body = { publicKey: generateKeys().publicKeyPem, reason: REASON };
    return { path: `/merchants/${id}/public-key`, options: { method: "PUT", body }, subject: id };
  },
  "participant.receiver": async (free) => {
    const { participantId } = await ready(free);
    const body = { address: newAddress(), reason: REASON };
    return {
      path: `/participants/${participantId}/receiver`,
      options: { method: "PUT", body },
      subject: participantId,
    };
  },
  "participant.hold": async (free) => {
    const { participantId } = await ready(free);
    return {
      path: `/participants/${participantId}/hold`,
      options: { body: { reason: REASON } },
      subject: participantId,
    };
  },
  "participant.release": async (free) => {
    const { participantId } = await ready(free);
    await free.operator(`/participants/${participantId}/hold`, { body: { reason: REASON } });
    return {
      path: `/participants/${participantId}/release`,
      options: { body: { reason: REASON } },
      subject: participantId,
    };
  },
  "payout-run.approve": async (free) => {
    const { id } = await ready(free);
    const run = await free.operator("/payout-runs", {
      body: { campaignId: id },
      headers: { "idempotency-key": randomUUID() },
    });
    expect(run.status, JSON.stringify(run.body)).toBe(201);
    return { path: `/payout-runs/${run.body.id}/approve`, options: { body: {} }, subject: run.body.id };
  },
  "payout.create": async (free) => {
    const { participantId } = await ready(free);
    return {
      path: `/participants/${participantId}/payouts`,
      options: { body: { amount: usdc(1_000), recipientAddress: newAddress() }, headers: { "idempotency-key": "one" } },
      subject: idOfKey(`payout/${participantId}`, "one"),
    };
  },
  "payout.reverse": async (free) => {
    const { participantId } = await ready(free);
    const payout = await free.operator(`/participants/${participantId}/payouts`, {
      body: { amount: usdc(1_000) },
      headers: { "idempotency-key": randomUUID() },
    });
    const { id } = payout.body;
    for (const status of ["SUBMITTED", "CONFIRMED"]) {
      await free.operator(`/payouts/${id}/status`, { body: { status, transactionHash: `0x${"ab".repeat(32)}` } });
    }
    return { path: `/payouts/${id}/reverse`, options: { body: { reason: REASON } }, subject: id };
  },
  "deposit.overrule": async (free) => {
    const { id: merchantId } = await registerMerchant(free);
    const deposit = depositBody(merchantId, newAddress());
    await ingest(free, deposit);
    return {
      path: `/merchants/${merchantId}/deposits/${deposit.id}/state`,
      options: { method: "PUT", body: { state: "FAILED", reason: REASON } },
      subject: deposit.id,
    };
  },
} satisfies Readonly<Record<string, (free: Service) => Promise<CoveredCall>>>;

/** An active campaign with one participant who is owed 1,000 units. */
export async function ready(free: Service): Promise<{ merchantId: string; id: string; participantId: string }> {
  const merchant = await registerMerchant(free);
  const { id } = await createDraft(free, merchant.id);
  await free.operator(`/campaigns/${id}/activate`, { body: {} });
  const wallet = await qualify(free, merchant.id);
  const answer = await submit(merchant, id, submission("user-1", [wallet], 500));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { merchantId: merchant.id, id, participantId: answer.body.id };
}

const TABLES = `merchants retired_public_keys campaigns participants payout_runs payouts payout_events operator_tokens
   deposits deposit_events deposit_users`.split(/\s+/);

/** Everything that a covered call could change, as one text. Not the outbox, where mails come and go by themselves. */
export async function everything({ db }: Service): Promise<string> {
  const parts: string[] = [];
  for (const table of TABLES) {
    const [row] = await db.query<{ rows: string | null }>(
      `select string_agg(t::text, E'\\n' order by t::text) as rows from ${table} t`,
    );
    parts.push(`${table}\n${row?.rows ?? ""}`);
  }
  return parts.join("\n");
}
