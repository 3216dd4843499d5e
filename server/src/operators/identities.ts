import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Queryable } from "../db/pool.ts";
import { SESSION_LIFE_MS } from "../limits.ts";
import { findUsableToken } from "./queries.ts";
import type { OperatorRole } from "./roles.ts";
import { deleteSession, deleteSessionsOver, findSession, insertSession } from "./session-queries.ts";
import { hashToken } from "./tokens.ts";

export interface Operator {
  /** Null for the bootstrap token, which is in no table. */
  readonly id: string | null;
  readonly name: string;
  readonly role: OperatorRole;
}

const BOOTSTRAP: Operator = { id: null, name: "bootstrap token", role: "operator" };
const SESSION_ID_BYTES = 32;

export type Identities = ReturnType<typeof createIdentities>;

/**
 * Who calls: the holder of a token, or of a session that a token opened. A session is nothing but a name for its token,
 * kept in the database of this environment, so it ends when the token is revoked, expires or is replaced.
 */
export function createIdentities({ db, clock, key, bootstrapToken }: IdentityDependencies) {
  const macOf = (token: string) => createHmac("sha256", key).update(token).digest();
  // The bootstrap token may be a text that somebody chose, so what is stored of it has a key.
  const bootstrapMac = macOf(bootstrapToken);
  const isBootstrap = (mac: Buffer) => timingSafeEqual(mac, bootstrapMac);

  async function ofToken(token: string): Promise<Operator | null> {
    return isBootstrap(macOf(token)) ? BOOTSTRAP : findUsableToken(db, hashToken(token), clock());
  }

  async function ofSession(sessionId: string): Promise<{ operator: Operator; expireDate: Date } | null> {
    const row = await findSession(db, hashToken(sessionId), clock());
    if (row === null) return null;
    const operator = isBootstrap(row.token_hash) ? BOOTSTRAP : operatorOf(row);
    return operator && { operator, expireDate: row.expire_date };
  }

  /** A new session of the token's holder; its id is in the answer and nowhere else. */
  async function openSession(token: string): Promise<string> {
    const now = clock();
    const mac = macOf(token);
    const sessionId = randomBytes(SESSION_ID_BYTES).toString("base64url");
    // Those that are over are cleared away whenever one is opened; nothing else needs to.
    await deleteSessionsOver(db, now);
    await insertSession(db, {
      idHash: hashToken(sessionId),
      tokenHash: isBootstrap(mac) ? mac : hashToken(token),
      createDate: now,
      expireDate: new Date(now.getTime() + SESSION_LIFE_MS),
    });
    return sessionId;
  }

  return { ofToken, ofSession, openSession, closeSession: (id: string) => deleteSession(db, hashToken(id)) };
}

interface IdentityDependencies {
  readonly db: Queryable;
  readonly clock: Clock;
  /** This environment's own. */
  readonly key: Buffer;
  readonly bootstrapToken: string;
}

function operatorOf({ id, name, role }: { id: string | null; name: string | null; role: OperatorRole | null }) {
  return id === null || name === null || role === null ? null : { id, name, role };
}
