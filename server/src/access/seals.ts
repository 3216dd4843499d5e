import { createHmac, timingSafeEqual } from "node:crypto";
import type { Keyring, KeyVersion } from "../keyring.ts";
import type { StoredToken } from "./record.ts";
import type { StoredSession } from "./session-queries.ts";

export type Seals = ReturnType<typeof createSeals>;

/**
 * What is stored of tokens and sessions. The hash finds the row and is a MAC under the secret, so that write access
 * to the database is not enough to make a token. The seal covers the rights in the row, so that they cannot be raised there.
 * A seal cannot show that an old row was put back: write access to the database is enough to undo a revocation.
 */
export function createSeals(keyring: Keyring, bootstrapToken: string) {
  const tokens = keysOf(keyring, "tokens");
  const sessions = keysOf(keyring, "sessions");
  const bootstrapHash = hashOf(tokens.signing.key, bootstrapToken);

  const sealToken = (key: Buffer, token: Omit<StoredToken, "seal" | "keyVersion">) =>
    macOf(key, [
      "token",
      token.tokenHash.toString("hex"),
      token.id,
      token.name,
      token.role,
      token.createdBy,
      token.expireDate.toISOString(),
      // Left out where it is null: rows from before there was such a field keep their seals.
      ...(token.ownPerson === null ? [] : [token.ownPerson]),
    ]);
  // A session of the bootstrap token ends when that token is replaced: its seal covers the token itself.
  const sealSession = (key: Buffer, session: Omit<StoredSession, "seal" | "keyVersion">) =>
    macOf(key, [
      "session",
      session.idHash.toString("hex"),
      session.tokenId ?? macOf(key, ["bootstrap", bootstrapToken]).toString("hex"),
      session.expireDate.toISOString(),
    ]);

  return {
    isBootstrap: (token: string) => timingSafeEqual(hashOf(tokens.signing.key, token), bootstrapHash),

    hashesOfToken: (token: string) => tokens.active.map(({ key }) => hashOf(key, token)),
    hashesOfSession: (id: string) => sessions.active.map(({ key }) => hashOf(key, id)),

    newToken(token: string, rights: Omit<StoredToken, "seal" | "keyVersion" | "tokenHash">): StoredToken {
      const { version, key } = tokens.signing;
      const hashed = { ...rights, tokenHash: hashOf(key, token) };
      return { ...hashed, keyVersion: version, seal: sealToken(key, hashed) };
    },
    newSession(id: string, rights: Omit<StoredSession, "seal" | "keyVersion" | "idHash">): StoredSession {
      const { version, key } = sessions.signing;
      const hashed = { ...rights, idHash: hashOf(key, id) };
      return { ...hashed, keyVersion: version, seal: sealSession(key, hashed) };
    },

    isTrueToken: (token: StoredToken) =>
      tokens.active.some(
        ({ version, key }) => version === token.keyVersion && sealToken(key, token).equals(token.seal),
      ),
    isTrueSession: (session: StoredSession) =>
      sessions.active.some(
        ({ version, key }) => version === session.keyVersion && sealSession(key, session).equals(session.seal),
      ),

    /** Whether the row was signed with an older version of the secret. */
    isOld: ({ keyVersion }: { keyVersion: number }) => keyVersion < tokens.signing.version,
    versions: tokens.active.map(({ version }) => version),
  };
}

function keysOf(keyring: Keyring, purpose: string): { signing: KeyVersion; active: readonly KeyVersion[] } {
  return { signing: keyring.signing(purpose), active: keyring.active(purpose) };
}

function hashOf(key: Buffer, text: string): Buffer {
  return macOf(key, ["hash", text]);
}

function macOf(key: Buffer, parts: readonly unknown[]): Buffer {
  return createHmac("sha256", key).update(JSON.stringify(parts)).digest();
}
