// Recomputes the chains of journals, a page of rows at a time, in the order of the campaigns' keys.
import type { JournalChain } from "../../campaigns/journal/chain.ts";
import { findLink, type JournalPlace, type LinkedEntry, listLinks } from "../../campaigns/journal/queries.ts";
import type { Queryable } from "../../db/pool.ts";
import type { CheckRange } from "./record.ts";

/** What the rows before the next one left behind. */
export interface ChainState {
  readonly place: JournalPlace;
  readonly keyVersion: number;
  /** The digest of the last row; empty before the first one of a chain. */
  readonly digest: Buffer;
  /** A digest over the rows from before the chain, up to here or to their end. They have none of their own. */
  readonly oldDigest: Buffer;
}

export interface ChainProblem {
  readonly place: JournalPlace;
  readonly problem: string;
}

export interface ChainPage {
  readonly entries: readonly LinkedEntry[];
  readonly problems: readonly ChainProblem[];
  /** Behind the last row. */
  readonly state: ChainState;
  /** The old digests at the end of the rows from before the chain, of the journals where this page reached it. */
  readonly oldDigests: readonly { readonly place: JournalPlace; readonly digest: Buffer }[];
}

const EMPTY = Buffer.alloc(0);

/** The state in front of the first row behind this place. */
export async function startChain(db: Queryable, place: JournalPlace, oldDigest: Buffer = EMPTY): Promise<ChainState> {
  const link = place.position === 0 ? null : await findLink(db, place);
  return { place, keyVersion: link?.keyVersion ?? 0, digest: link?.digest ?? EMPTY, oldDigest };
}

/** Checks the next rows, at most `count`. */
export async function checkChainPage(
  db: Queryable,
  chain: JournalChain,
  before: ChainState,
  range: CheckRange,
  count: number,
): Promise<ChainPage> {
  const last = { merchantId: range.lastMerchant, id: range.lastId, position: range.lastPosition };
  const entries = await listLinks(db, before.place, last, count);
  const problems: ChainProblem[] = [];
  const oldDigests: { place: JournalPlace; digest: Buffer }[] = [];
  let state = before;
  for (const link of entries) {
    const { campaign, entry } = link;
    const isNext = campaign.id === state.place.id && campaign.merchantId === state.place.merchantId;
    const place = { merchantId: campaign.merchantId, id: campaign.id, position: entry.position };
    const previous = isNext ? state : { keyVersion: 0, digest: EMPTY, oldDigest: EMPTY };
    if (entry.position <= campaign.chainedAfter) {
      const digest = chain.oldDigestOf(previous.oldDigest, campaign, entry);
      if (link.digest !== null) problems.push({ place, problem: "is from before the chain and has a digest" });
      if (entry.position === campaign.chainedAfter) oldDigests.push({ place, digest });
      state = { place, keyVersion: 0, digest: EMPTY, oldDigest: digest };
      continue;
    }
    const problem = problemOf(chain, previous, link);
    if (problem !== null) problems.push({ place, problem });
    state = {
      place,
      keyVersion: link.keyVersion ?? previous.keyVersion,
      digest: link.digest ?? EMPTY,
      oldDigest: previous.oldDigest,
    };
  }
  return { entries, problems, state, oldDigests };
}

function problemOf(
  chain: JournalChain,
  previous: Pick<ChainState, "keyVersion" | "digest">,
  { campaign, entry, keyVersion, digest }: LinkedEntry,
): string | null {
  if (keyVersion === null || digest === null) return "has no digest";
  if (keyVersion < previous.keyVersion) return "was written with an older secret than the row before it";
  const expected = chain.digestOf(keyVersion, previous.digest, campaign, entry);
  if (expected === null) return `needs version ${keyVersion} of MATCHBOOK_SECRET, which is not set`;
  return expected.equals(digest) ? null : "or the row before it was changed or invented";
}
