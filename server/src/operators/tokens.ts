import assert from "node:assert";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { DAY_MS, TOKEN_DAYS_DEFAULT } from "../limits.ts";
import type { Actor, Audit } from "./audit.ts";
import { findToken, insertToken, revokeToken as markRevoked, type Token } from "./queries.ts";
import type { OperatorRole } from "./roles.ts";

const TOKEN_BYTES = 32;

/** One line of the audit log: neither blank nor with a control character that would break it. */
export const TOKEN_NAME_PATTERN = "^(?=.*\\S)[^\\p{Cc}]*$";

export interface TokenDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
}

/** A token has 256 random bits, so a plain hash of it cannot be searched. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * The token itself is in the answer and nowhere else: it cannot be shown again. Who repeats a request whose answer was lost is
 * told of the one token it made, without the secret, and can revoke it.
 */
export async function createToken(
  { db, clock, audit }: TokenDependencies,
  request: { name: string; role: OperatorRole; expiresInDays?: number | undefined },
  actor: Actor,
  id: string = randomUUID(),
): Promise<Token & { token: string | null }> {
  const secret = `mbop_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  const now = clock();
  const token = {
    id,
    name: request.name,
    role: request.role,
    createDate: now.toISOString(),
    expiresAt: new Date(now.getTime() + (request.expiresInDays ?? TOKEN_DAYS_DEFAULT) * DAY_MS).toISOString(),
    revokedAt: null,
  };
  return db.transaction(async (transaction) => {
    if (!(await insertToken(transaction, token, hashToken(secret)))) {
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
      detail: { name: token.name, role: token.role, expiresAt: token.expiresAt },
      date: now,
    });
    return { ...token, token: secret };
  });
}

function isSameRequest(one: Token, other: Token): boolean {
  return one.name === other.name && one.role === other.role && lifeMsOf(one) === lifeMsOf(other);
}

function lifeMsOf({ createDate, expiresAt }: Token): number {
  return Date.parse(expiresAt) - Date.parse(createDate);
}

/** Revoking twice is revoking once. */
export async function revokeToken({ db, clock, audit }: TokenDependencies, id: string, actor: Actor): Promise<void> {
  await db.transaction(async (transaction) => {
    const now = clock();
    const token = (await markRevoked(transaction, id, now)) ?? fail("TOKEN_NOT_FOUND");
    if (!token.revoked) return;
    await audit.record(transaction, {
      actor,
      action: "token.revoke",
      subject: id,
      merchantId: null,
      detail: { name: token.name },
      date: now,
    });
  });
}
