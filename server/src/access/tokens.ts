import assert from "node:assert";
import { randomBytes, randomUUID } from "node:crypto";
import { type Actor, type Audit, BOOTSTRAP_ACTIONS } from "../audit/audit.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { DAY_MS, REVOKED_TOKENS_LISTED_MAX, TOKEN_DAYS_DEFAULT } from "../limits.ts";
import type { OperatorRole } from "./roles.ts";
import type { Seals } from "./seals.ts";
import {
  findToken,
  hasUsableOperatorToken,
  insertToken,
  type RevokedToken,
  revokeOne,
  revokeWithDescendants,
  type Token,
} from "./token-queries.ts";

const TOKEN_BYTES = 32;

/** One line of the audit log: neither blank nor with a control character that would break it. */
export const TOKEN_NAME_PATTERN = "^(?=.*\\S)[^\\p{Cc}]*$";

export interface TokenDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly seals: Seals;
}

/**
 * The token itself is in the answer and nowhere else: it cannot be shown again. Who repeats a request whose answer was lost is
 * told of the one token it made, without the secret, and can revoke it.
 */
export async function createToken(
  { db, clock, audit, seals }: TokenDependencies,
  request: { name: string; role: OperatorRole; expiresInDays?: number | undefined },
  actor: Actor,
  id: string = randomUUID(),
): Promise<(Token & { token: null }) | (Omit<Token, "createdBy"> & { token: string })> {
  const secret = `mbop_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  const { name, role } = request;
  const now = clock();
  const expireDate = new Date(now.getTime() + (request.expiresInDays ?? TOKEN_DAYS_DEFAULT) * DAY_MS);
  const token = { id, name, role, createDate: now.toISOString(), expiresAt: expireDate.toISOString(), revokedAt: null };
  const stored = seals.newToken(secret, { id, name, role, createdBy: actor.tokenId ?? null, expireDate });
  return db.transaction(async (transaction) => {
    if (!(await insertToken(transaction, stored, now))) {
      const known = await findToken(transaction, id);
      assert(known !== null, "tokens are never deleted");
      if (!isSameRequest(known, token)) fail("IDEMPOTENCY_KEY_REUSED");
      return { ...known, token: null };
    }
    await audit.record(transaction, {
      actor,
      action: "token.create",
      subject: token.id,
      merchantId: null,
      detail: { name, role, expiresAt: token.expiresAt },
      date: now,
    });
    return { ...token, token: secret };
  });
}

type Request = Pick<Token, "name" | "role" | "createDate" | "expiresAt">;

function isSameRequest(one: Request, other: Request): boolean {
  return one.name === other.name && one.role === other.role && lifeMsOf(one) === lifeMsOf(other);
}

function lifeMsOf({ createDate, expiresAt }: Request): number {
  return Date.parse(expiresAt) - Date.parse(createDate);
}

/**
 * Revokes the token and, with `cascade`, what it made and what those made. Revoking twice is revoking once. The end of the
 * audit log is taken first: a token that is being made at the same time is then either seen here, or its maker is refused.
 */
export async function revokeToken(
  { db, clock, audit }: TokenDependencies,
  id: string,
  actor: Actor,
  { cascade }: { cascade: boolean },
): Promise<readonly RevokedToken[]> {
  return db.transaction(async (transaction) => {
    const now = clock();
    const log = await audit.hold(transaction, actor, now);
    const token = (await findToken(transaction, id)) ?? fail("TOKEN_NOT_FOUND");
    const revoked = cascade ? await revokeWithDescendants(transaction, id, now) : await revokeOne(transaction, id, now);
    if (revoked.length === 0) return revoked;
    const others = revoked.filter((one) => one.id !== id);
    await log.append({
      action: "token.revoke",
      subject: id,
      merchantId: null,
      detail: { name: token.name, cascade, ...describeRevoked("alsoRevoked", others) },
    });
    return revoked;
  });
}

/** How many, and which: their ids, up to a number that one row can hold. */
export function describeRevoked(label: string, tokens: readonly RevokedToken[]): Record<string, unknown> {
  return { [`${label}Count`]: tokens.length, [label]: tokens.slice(0, REVOKED_TOKENS_LISTED_MAX).map(({ id }) => id) };
}

/** Switches the bootstrap token off, once somebody else can do what it is for. For the command line only. */
export async function closeBootstrap(
  { db, clock, audit, seals }: TokenDependencies,
  actor: Actor,
): Promise<"closed" | "closed before" | "no operator token"> {
  return db.transaction(async (transaction) => {
    const now = clock();
    const log = await audit.hold(transaction, actor, now);
    if (await audit.isBootstrapClosed(transaction)) return "closed before";
    if (!(await hasUsableOperatorToken(transaction, seals.versions, now))) return "no operator token";
    await log.append({ action: BOOTSTRAP_ACTIONS.close, subject: "bootstrap token", merchantId: null, detail: {} });
    return "closed";
  });
}

export async function openBootstrap(
  { db, clock, audit }: TokenDependencies,
  actor: Actor,
): Promise<"open" | "open before"> {
  return db.transaction(async (transaction) => {
    const log = await audit.hold(transaction, actor, clock());
    if (!(await audit.isBootstrapClosed(transaction))) return "open before";
    await log.append({ action: BOOTSTRAP_ACTIONS.open, subject: "bootstrap token", merchantId: null, detail: {} });
    return "open";
  });
}
