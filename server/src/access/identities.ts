import { randomBytes } from "node:crypto";
import type { Actor } from "../audit/audit.ts";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { SESSION_LIFE_MS } from "../limits.ts";
import type { StoredToken } from "./record.ts";
import type { OperatorRole } from "./roles.ts";
import { deleteSession, deleteSessionsOver, findSession, insertSession, rekeySession } from "./session-queries.ts";
import { findToken, findUsableToken, rekeyToken } from "./token-queries.ts";
import type { TokenDependencies } from "./tokens.ts";

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

/**
 * Who calls: the holder of a token, or of a session that a token opened. A session refers to its token, in the
 * database of this environment, so it ends when the token is revoked, expires or is replaced.
 */
export function createIdentities({ db, clock, audit, seals }: TokenDependencies) {
  /** With a transaction as `on`, checks again that the credential is still valid, and writes nothing. */
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

  /** Opens a session that replaces the browser's previous one. Its id is in the answer and is stored nowhere. */
  async function openSession(
    token: string,
    operator: Operator,
    origin: { requestId: string; address: string; replaced: string | null },
  ): Promise<string> {
    const sessionId = randomBytes(SESSION_ID_BYTES).toString("base64url");
    const now = clock();
    const expireDate = new Date(now.getTime() + SESSION_LIFE_MS);
    // Expired sessions are deleted whenever one is opened.
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

  /** Once this returns, no change made with the session can commit. */
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

  /** How the audit log names the token. Names never change. An unknown token is named by its id, which no actor is. */
  async function actorOfToken(id: string): Promise<string> {
    const token = await findToken(db, id);
    return token === null ? id : actorNameOf(token);
  }

  return { ofToken, ofSession, openSession, closeSession, actorOfToken };
}

/** How a page names the operator it was loaded for. The bootstrap token has no id. */
export function operatorIdOf({ id }: Operator): string {
  return id ?? "bootstrap";
}

/** Who the audit log names. Two tokens may share a name, so a token's id is part of it. */
export function actorFor(operator: Operator, requestId: string): Actor {
  return { name: actorNameOf(operator), requestId, tokenId: operator.id };
}

function actorNameOf({ id, name }: Pick<Operator, "id" | "name">): string {
  return id === null ? name : `${name} (${id})`;
}

function operatorOf({ id, name, role }: StoredToken): Operator {
  return { id, name, role };
}
