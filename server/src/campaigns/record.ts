// A campaign as the rules read and return it.

export type CampaignStatus = "DRAFT" | "ACTIVE" | "PAUSED" | "ENDED";

/** What an amount is counted in. */
export interface Token {
  readonly currency: string;
  readonly decimalPlaces: number;
}

/** What an operator decides about a campaign. Amounts are in base units of its token. */
export interface CampaignTerms extends Token {
  readonly type: "PER_TRADE_PROFIT_MATCH";
  readonly displayName: string;
  readonly startDate: Date;
  readonly endDate: Date;
  readonly multiplierMillionths: bigint;
  readonly maxAmountPerUser: bigint;
  readonly maxAmountTotal: bigint;
  readonly payoutChainId: number;
  readonly payoutTokenAddress: string;
  /** How many participants may name the same wallet. Null: any number. */
  readonly participantsPerWalletMax: number | null;
  /** What a deposit must have at least to qualify its wallet, in millionths of a dollar. Null: any amount. */
  readonly minimumDepositMicros: bigint | null;
}

export interface Campaign extends CampaignTerms {
  readonly merchantId: string;
  readonly id: string;
  readonly status: CampaignStatus;
  /** How much of `maxAmountTotal` is matched. */
  readonly committed: bigint;
  /** The number of accepted submissions, which is the position of the journal's last row. */
  readonly journalLength: number;
  readonly createDate: Date;
  readonly updateDate: Date;
}
