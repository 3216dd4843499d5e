import { createHmac } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { ChangeDependencies } from "../audit/audit.ts";
import { clientAddress, clientOf } from "../http/client-address.ts";
import { createRateLimit } from "../http/rate-limit.ts";
import {
  MINUTE_MS,
  REFUSALS_AUDITED_PER_MINUTE_MAX,
  WRONG_BEARERS_PER_MINUTE_MAX,
  WRONG_SIGN_INS_PER_MINUTE_MAX,
} from "../limits.ts";

export type WrongTokens = ReturnType<typeof createWrongTokens>;

interface WrongTokenDependencies extends ChangeDependencies {
  /** Wrong tokens are counted under a MAC, because one may be a valid token with a typing error. */
  readonly key: Buffer;
}

const MESSAGE = "Too many wrong operator tokens. Retry after the Retry-After period.";

/**
 * Limits how often a client may be wrong about a token in a minute, counted in the database for all processes.
 *
 * Signing in is counted before the token is looked at, and taken back when it was right. So a client over the limit learns
 * nothing, not even with many parallel tries. Bearer tokens are looked at first, and right ones always pass: one bad client
 * behind an address must not stop the hosted flow behind the same address.
 */
export function createWrongTokens({ db, clock, audit, key }: WrongTokenDependencies) {
  const limitOf = (scope: string, max: number) =>
    createRateLimit({ db, clock, scope, max, windowMs: MINUTE_MS, message: MESSAGE });
  const signIns = limitOf("sign-in", WRONG_SIGN_INS_PER_MINUTE_MAX);
  const bearers = limitOf("bearer", WRONG_BEARERS_PER_MINUTE_MAX);
  const audited = limitOf("refusal audited", REFUSALS_AUDITED_PER_MINUTE_MAX);

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
        actor: { name: `anonymous (${client})`, requestId: request.id },
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
      const known = signIns.findOver(client);
      if (known !== undefined) signIns.refuse(known);
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
      const known = bearers.findOver(client);
      if (known !== undefined) bearers.refuse(known);
      const [window] = await bearers.count(client);
      if (window === undefined || !bearers.isOver(window)) return;
      if (window.count === WRONG_BEARERS_PER_MINUTE_MAX + 1) {
        await record(request, "token.refuse", client, { tries: window.count, throttled: true });
      }
      bearers.refuse(window);
    },
  };
}
