// A wallet as the rules read and return it.

/** What two wallets are compared by. */
export interface WalletKey {
  readonly addressKey: string;
  readonly chainId: number;
}

export function walletKey({ addressKey, chainId }: WalletKey): string {
  return `${chainId}/${addressKey}`;
}

/** The part of a campaign that decides which wallets qualify. */
export interface CampaignWindow {
  readonly merchantId: string;
  readonly id: string;
  readonly startDate: Date;
  readonly endDate: Date;
  /** A smaller deposit qualifies no wallet. Null: any amount does. */
  readonly minimumDepositMicros: bigint | null;
}

export interface QualifiedWallet extends WalletKey {
  /** As the deposit spelled it. */
  readonly address: string;
  readonly qualifiedDate: Date;
  /** The first participant that claimed the wallet. */
  readonly participantId: string | null;
}
