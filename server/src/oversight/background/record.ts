import type { Value } from "../../db/pool.ts";

/** How far a walk through a table has come. */
export interface Walk {
  readonly name: string;
  readonly merchantId: string;
  readonly id: string;
  readonly position: number;
  /** Over the rows from before the chain that this round has read of the journal it is in. */
  readonly oldDigest: Buffer;
  readonly beginDate: Date;
  /** When the last round that is done began. */
  readonly doneBeginDate: Date | null;
  readonly nextDate: Date;
}

/** Up to where a journal was checked, with its digest there. */
export interface JournalCheckpoint {
  readonly merchantId: string;
  readonly campaignId: string;
  readonly position: number;
  readonly digest: Buffer;
  /** The rows from before the chain that are checked, and a digest over them. */
  readonly oldPosition: number;
  readonly oldDigest: Buffer;
}

/** A campaign, with the end of its journal and what is checked of it. */
export interface JournalEnd {
  readonly merchantId: string;
  readonly id: string;
  readonly journalLength: number;
  readonly chainedAfter: number;
  readonly digest: Buffer;
  readonly checkedPosition: number;
  readonly checkedDigest: Buffer;
  readonly oldPosition: number;
  readonly oldDigest: Buffer;
}

/** The values of the statement that looks at a finding again. */
export type FindingScope = Readonly<Record<string, Value>>;

export interface Finding {
  readonly checkName: string;
  readonly subject: string;
  readonly scope: FindingScope | null;
  readonly detail: string;
}
