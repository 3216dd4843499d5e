// The chain of a campaign's journal. Each row has a digest that covers the row, what it named, and the digest before it, with a key
// of the service. Without the key, a row cannot be changed, removed or added unseen, even by someone who can write to the table.
import { createHmac } from "node:crypto";
import { fail } from "../../http/errors.ts";
import type { Keyring } from "../../keyring.ts";
import type { JournalEntry, JournalHead, NamedWallet } from "./record.ts";

export type JournalChain = ReturnType<typeof createJournalChain>;

interface CampaignKey {
  readonly merchantId: string;
  readonly id: string;
}

export function createJournalChain(keyring: Keyring) {
  const signing = keyring.signing("journal");
  const active = keyring.active("journal");
  const firstKey = keyring.first("journal");
  const keys = new Map(keyring.all("journal").map(({ version, key }) => [version, key]));

  /** Versions never decrease along a chain. Otherwise an old key that leaked could still add rows. */
  function keyAfter(head: JournalHead) {
    if (head.keyVersion <= signing.version) return signing;
    return (
      active.find(({ version }) => version === head.keyVersion) ??
      fail(
        "SERVICE_UNAVAILABLE",
        "This process has an older MATCHBOOK_SECRET than the journal. Restart it with the new value.",
      )
    );
  }

  return {
    /** The links of new rows. The caller holds the campaign's row, whose head this is. */
    extend(campaign: CampaignKey, head: JournalHead, entries: readonly JournalEntry[]): JournalHead[] {
      const { version: keyVersion, key } = keyAfter(head);
      let { digest } = head;
      return entries.map((entry) => {
        digest = digestOf(key, digest, campaign, entry);
        return { keyVersion, digest };
      });
    },

    /** The key for rows from before the chain: always the first, because nothing is stored with them. */
    oldDigestOf(previous: Buffer, campaign: CampaignKey, entry: JournalEntry): Buffer {
      return digestOf(firstKey, previous, campaign, entry);
    },

    /** What the digest of a row must be. Null when that version of the secret is not set. */
    digestOf(keyVersion: number, previous: Buffer, campaign: CampaignKey, entry: JournalEntry): Buffer | null {
      const key = keys.get(keyVersion);
      return key === undefined ? null : digestOf(key, previous, campaign, entry);
    },
  };
}

function digestOf(key: Buffer, previous: Buffer, { merchantId, id }: CampaignKey, entry: JournalEntry): Buffer {
  const { evidence } = entry;
  const content = [
    previous.toString("base64"),
    merchantId,
    id,
    entry.position,
    entry.submissionId,
    entry.participantId,
    entry.merchantUserId,
    entry.created,
    String(entry.profit),
    String(entry.cap),
    String(entry.maxAmountTotal),
    String(entry.delta),
    String(entry.matchAfter),
    String(entry.committedAfter),
    entry.clampedBy,
    entry.date,
    evidence && [
      evidence.wallets.map(contentOf),
      evidence.qualifiedOrdinal,
      evidence.qualifiedDate,
      evidence.receiver && contentOf(evidence.receiver),
    ],
  ];
  return createHmac("sha256", key).update(JSON.stringify(content)).digest();
}

// Not the spelling: two spellings of an EVM address are one wallet.
function contentOf({ ordinal, chainId, addressKey }: NamedWallet) {
  return [ordinal, chainId, addressKey];
}
