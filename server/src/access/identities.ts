import { randomBytes } from "node:crypto";
import type { Actor, Audit } from "../audit/audit.ts";
import type { Clock } from "../clock.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { SESSION_LIFE_MS } from "../limits.ts";
import type { OperatorRole } from "./roles.ts";
import type { Seals } from "./seals.ts";
import { deleteSession, deleteSessionsOver, findSession, insertSession, rekeySession } from "./session-queries.ts";
import { findUsableToken, rekeyToken, type StoredToken } from "./token-queries.ts";

export interface Operator {
  /** Null for the bootstrap token, which is in no table. */
  readonly id: string | null;
  readonly name: string;
  readonly role: OperatorRole;
}

export interface Session {
  readonly operator: Operator;
  readonly expireDate: Date;
}

const BOOTSTRAP: Operator = { id: null, name: "bootstrap token", role: "operator" };
const SESSION_ID_BYTES = 32;

export type Identities = ReturnType<typeof createIdentities>;

interface IdentityDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly seals: Seals;
}

/**
 * Who calls: the holder of a token, or of a session that a token opened. A session is nothing but a name for its token,
 * kept in the database of this environment, so it ends when the token is revoked, expires or is replaced.
 */
export function createIdentities({ db, clock, audit, seals }: IdentityDependencies) {
  /** `on` a transaction, it is asked again whether the credential is still good; nothing is written then. */
  async function ofToken(token: string, on: Queryable = db): Promise<Operator | null> {
    if (seals.isBootstrap(token)) return (await audit.isBootstrapClosed(on)) ? null : BOOTSTRAP;
    const stored = await findUsableToken(on, seals.hashesOfToken(token), clock());
    if (stored === null || !seals.isTrueToken(stored)) return null;
    if (on === db && seals.isOld(stored)) await rekeyToken(db, stored.tokenHash, seals.newToken(token, stored));
    return operatorOf(stored);
  }

  async function ofSession(sessionId: string, on: Queryable = db): Promise<Session | null> {
    const found = await findSession(on, seals.hashesOfSession(sessionId), clock());
    if (found === null || !seals.isTrueSession(found.session)) return null;
    const { session, token } = found;
    if (session.tokenId !== null && (token === null || !seals.isTrueToken(token))) return null;
    if (session.tokenId === null && (await audit.isBootstrapClosed(on))) return null;
    if (on === db && seals.isOld(session)) {
      await rekeySession(db, session.idHash, seals.newSession(sessionId, session));
    }
    if (token === null) return { operator: BOOTSTRAP, expireDate: session.expireDate };
    const expireDate = token.expireDate < session.expireDate ? token.expireDate : session.expireDate;
    return { operator: operatorOf(token), expireDate };
  }

  /** A new session of the token's holder, in place of the one the browser had; its id is in the answer and nowhere else. */
  async function openSession(
    token: string,
    operator: Operator,
    origin: { requestId: string; address: string; replaced: string | null },
  ): Promise<string> {
    const sessionId = randomBytes(SESSION_ID_BYTES).toString("base64url");
    const now = clock();
    const expireDate = new Date(now.getTime() + SESSION_LIFE_MS);
    // Those that are over are cleared away whenever one is opened; nothing else needs to.
    await deleteSessionsOver(db, now);
    await db.transaction(async (transaction) => {
      await insertSession(transaction, seals.newSession(sessionId, { tokenId: operator.id, expireDate }), now);
      if (origin.replaced !== null) await deleteSession(transaction, seals.hashesOfSession(origin.replaced));
      await audit.record(transaction, {
        actor: {
          ...actorFor(operator, origin.requestId),
          recheck: async (on) => {
            if ((await ofToken(token, on)) === null) fail("OPERATOR_TOKEN_INVALID");
          },
        },
        action: "session.create",
        subject: operator.id ?? operator.name,
        merchantId: null,
        detail: { address: origin.address, expiresAt: expireDate.toISOString() },
        date: now,
      });
    });
    return sessionId;
  }

  /** Once this returns, no change of the session can commit any more. */
  async function closeSession(sessionId: string, requestId: string): Promise<void> {
    const session = await ofSession(sessionId);
    if (session === null) return deleteSession(db, seals.hashesOfSession(sessionId));
    await db.transaction(async (transaction) => {
      const actor = actorFor(session.operator, requestId);
      const log = await audit.hold(transaction, actor, clock());
      await deleteSession(transaction, seals.hashesOfSession(sessionId));
      const subject = session.operator.id ?? session.operator.name;
      await log.append({ action: "session.end", subject, merchantId: null, detail: {} });
    });
  }

  return { ofToken, ofSession, openSession, closeSession };
}

/** Who the audit log names. Two tokens may share a name, so a token's id is part of it. */
export function actorFor({ id, name }: Operator, requestId: string): Actor {
  return { name: id === null ? name : `${name} (${id})`, requestId, tokenId: id };
}

function operatorOf({ id, name, role }: StoredToken): Operator {
  return { id, name, role };
}
