import assert from "node:assert";
import { randomBytes, randomUUID } from "node:crypto";
import { type Actor, BOOTSTRAP_ACTIONS, type ChangeDependencies } from "../audit/audit.ts";
import { fail } from "../http/errors.ts";
import { PLAIN_LINE } from "../http/fields.ts";
import { DAY_MS, REVOKED_TOKENS_LISTED_MAX, TOKEN_DAYS_DEFAULT } from "../limits.ts";
import type { RevokedToken, Token } from "./record.ts";
import type { OperatorRole } from "./roles.ts";
import type { Seals } from "./seals.ts";
import { findToken, hasUsableOperatorToken, insertToken, revokeOne, revokeWithDescendants } from "./token-queries.ts";

const TOKEN_BYTES = 32;

/** One line of the audit log: neither blank nor with a control character that would break it. */
export const TOKEN_NAME_PATTERN = PLAIN_LINE;

export interface TokenDependencies extends ChangeDependencies {
  readonly seals: Seals;
}

/**
 * The secret is in the answer and nowhere else: it cannot be shown again. A repeated request, whose first answer may be lost,
 * gets the token without the secret, and can revoke it. `onHost`: made on the command line, so its holder is a person of its own.
 */
export async function createToken(
  { db, clock, audit, seals }: TokenDependencies,
  request: { name: string; role: OperatorRole; expiresInDays?: number | undefined },
  actor: Actor,
  {
    id = randomUUID(),
    idempotencyKey,
    onHost = false,
  }: { id?: string; idempotencyKey?: string | undefined; onHost?: boolean } = {},
): Promise<{ token: Token; secret: string | null }> {
  const secret = `mbop_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  const { name, role, expiresInDays = TOKEN_DAYS_DEFAULT } = request;
  const lifeMs = expiresInDays * DAY_MS;
  const now = clock();
  const expireDate = new Date(now.getTime() + lifeMs);
  const repeat = (token: Token) => {
    const isSame = token.name === name && token.role === role && lifeMsOf(token) === lifeMs;
    return isSame ? { token, secret: null } : fail("IDEMPOTENCY_KEY_REUSED");
  };
  return db.transaction(async (transaction) => {
    const known = await findToken(transaction, id);
    if (known !== null) return repeat(known);
    const change = { name, role, expiresInDays, idempotencyKey };
    const review = await actor.review?.(transaction, { subject: id, merchantId: null, change });
    const ownPerson = onHost ? "HOST" : review === "approved" ? "APPROVAL" : null;
    const stored = seals.newToken(secret, { id, name, role, createdBy: actor.tokenId ?? null, ownPerson, expireDate });
    const isNew = await insertToken(transaction, stored, now);
    const token = await findToken(transaction, id);
    assert(token !== null, "tokens are never deleted");
    if (!isNew) return repeat(token);
    await audit.record(transaction, {
      actor,
      action: "token.create",
      subject: id,
      merchantId: null,
      detail: { name, role, expiresAt: expireDate.toISOString() },
      date: now,
    });
    return { token, secret };
  });
}

function lifeMsOf({ createDate, expireDate }: Token): number {
  return expireDate.getTime() - createDate.getTime();
}

/**
 * Revokes the token and, with `cascade`, what it made and what those made. Revoking again changes nothing. The end of the
 * audit log is locked first: a token that is being made at the same time is either seen here, or its creation is refused.
 */
export async function revokeToken(
  { db, clock, audit }: TokenDependencies,
  id: string,
  actor: Actor,
  { cascade, reason }: { cascade: boolean; reason?: string | undefined },
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
      detail: { name: token.name, cascade, ...describeRevoked("alsoRevoked", others), reason },
    });
    return revoked;
  });
}

/** Their number, and as many of their ids as one row can hold. */
export function describeRevoked(label: string, tokens: readonly RevokedToken[]): Record<string, unknown> {
  return { [`${label}Count`]: tokens.length, [label]: tokens.slice(0, REVOKED_TOKENS_LISTED_MAX).map(({ id }) => id) };
}

/** Switches the bootstrap token off, once there is an operator token that replaces it. For the command line only. */
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
