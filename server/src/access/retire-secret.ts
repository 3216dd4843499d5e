import type { Actor, Audit } from "../audit/audit.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import { deleteSessionsOfVersion } from "./session-queries.ts";
import { revokeTokensOfVersion } from "./token-queries.ts";
import { describeRevoked } from "./tokens.ts";

/** Revokes the tokens that are still under a version of the secret, and ends such sessions. Answers how many tokens. */
export async function retireSecretVersion(
  { db, clock, audit }: { db: Database; clock: Clock; audit: Audit },
  version: number,
  actor: Actor,
): Promise<number> {
  return db.transaction(async (transaction) => {
    const now = clock();
    const log = await audit.hold(transaction, actor, now);
    const revoked = await revokeTokensOfVersion(transaction, version, now);
    await deleteSessionsOfVersion(transaction, version);
    await log.append({
      action: "secret.retire",
      subject: "MATCHBOOK_SECRET",
      merchantId: null,
      detail: { version, ...describeRevoked("revoked", revoked) },
    });
    return revoked.length;
  });
}
