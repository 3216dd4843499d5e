import { createHmac } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Audit } from "../audit/audit.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import { clientAddress, clientOf } from "../http/client-address.ts";
import { createRateLimit } from "../http/rate-limit.ts";
import type { Window } from "../http/rate-limit-queries.ts";
import {
  MINUTE_MS,
  REFUSALS_AUDITED_PER_MINUTE_MAX,
  REFUSED_CLIENTS_REMEMBERED_MAX,
  WRONG_BEARERS_PER_MINUTE_MAX,
  WRONG_SIGN_INS_PER_MINUTE_MAX,
} from "../limits.ts";

export type WrongTokens = ReturnType<typeof createWrongTokens>;

interface WrongTokenDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  /** Presented tokens are counted under a MAC: a wrong one may be a right one with a slip of the finger. */
  readonly key: Buffer;
}

const MESSAGE = "Too many wrong operator tokens. Retry after the Retry-After period.";

/**
 * Limits how often a client may be wrong about a token in a minute, counted in the database for all processes.
 *
 * Signing in is counted before the token is looked at, and taken back when it was right. So a client over the limit learns
 * nothing, not even with many tries at once. Bearer tokens are looked at first, and right ones always pass: one bad client
 * behind an address must not stop the hosted flow behind the same address.
 */
export function createWrongTokens({ db, clock, audit, key }: WrongTokenDependencies) {
  const limitOf = (scope: string, max: number) =>
    createRateLimit({ db, clock, scope, max, windowMs: MINUTE_MS, message: MESSAGE });
  const signIns = limitOf("sign-in", WRONG_SIGN_INS_PER_MINUTE_MAX);
  const bearers = limitOf("bearer", WRONG_BEARERS_PER_MINUTE_MAX);
  const audited = limitOf("refusal audited", REFUSALS_AUDITED_PER_MINUTE_MAX);
  // Clients over the limit until the end of their window: they cost no more writes.
  const over = new Map<string, Window>();

  const clientOfRequest = (request: FastifyRequest) => clientOf(clientAddress(request));
  const clientOfToken = (token: string) =>
    `token ${createHmac("sha256", key).update(token).digest("base64url").slice(0, 16)}`;

  /** A flood from many addresses must not fill the log, so there is a limit for all of them together. */
  async function record(
    request: FastifyRequest,
    action: string,
    client: string,
    { tries, throttled }: { tries: number; throttled: boolean },
  ): Promise<void> {
    await db.transaction(async (transaction) => {
      const [all] = await audited.countOn(transaction, "all clients");
      if (all === undefined || audited.isOver(all)) return;
      const isLast = all.count === REFUSALS_AUDITED_PER_MINUTE_MAX;
      await audit.record(transaction, {
        actor: { name: `nobody (${client})`, requestId: request.id },
        action,
        subject: client,
        merchantId: null,
        detail: {
          tries,
          throttled,
          ...(isLast ? { note: "More refusals in this minute are not listed." } : {}),
        },
        date: clock(),
      });
    });
  }

  return {
    /** Runs one sign-in. `attempt` answers null for a wrong token. */
    async signIn<Result>(
      request: FastifyRequest,
      token: string,
      attempt: () => Promise<Result | null>,
    ): Promise<Result | null> {
      const client = clientOfRequest(request);
      const windows = await signIns.count(client, clientOfToken(token));
      const tries = windows.find((window) => window.client === client)?.count ?? 0;
      const refused = windows.find(signIns.isOver);
      if (refused === undefined) {
        const result = await attempt();
        if (result !== null) {
          await signIns.giveBack(windows);
          return result;
        }
      }
      if (tries <= WRONG_SIGN_INS_PER_MINUTE_MAX + 1)
        await record(request, "session.refuse", client, { tries, throttled: refused !== undefined });
      return refused === undefined ? null : signIns.refuse(refused);
    },

    /** A wrong bearer token costs one write at most, and none once its client is over the limit. */
    async countBearer(request: FastifyRequest): Promise<void> {
      const client = clientOfRequest(request);
      const known = over.get(client);
      if (known !== undefined && known.endDate > clock()) bearers.refuse(known);
      const [window] = await bearers.count(client);
      if (window === undefined || !bearers.isOver(window)) return;
      if (over.size >= REFUSED_CLIENTS_REMEMBERED_MAX) over.clear();
      over.set(client, window);
      if (window.count === WRONG_BEARERS_PER_MINUTE_MAX + 1) {
        await record(request, "token.refuse", client, { tries: window.count, throttled: true });
      }
      bearers.refuse(window);
    },
  };
}
