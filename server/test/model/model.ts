// A campaign as the specification tells it, in the plainest code: lists, loops and the formula. It shares nothing with the
// service, so that the two can only agree by being right.

export type Status = "DRAFT" | "ACTIVE" | "PAUSED" | "ENDED";
export type PayoutStatus = "PENDING" | "SUBMITTED" | "CONFIRMED" | "FAILED";

export interface Wallet {
  readonly address: string;
  readonly chainId: number;
}

export interface ModelDeposit extends Wallet {
  readonly day: number;
  readonly micros: number;
  completed: boolean;
}

export interface ModelPayout {
  readonly amount: bigint;
  readonly key: string;
  status: PayoutStatus;
  cancelled: boolean;
}

export interface ModelParticipant {
  readonly user: string;
  profit: bigint;
  matched: bigint;
  cap: bigint;
  firstDay: number;
  readonly wallets: Wallet[];
  readonly payouts: ModelPayout[];
  /** Where it is paid: set once. */
  receiver: Wallet | null;
}

export class ModelCampaign {
  status: Status = "DRAFT";
  committed = 0n;
  readonly participants: ModelParticipant[] = [];

  readonly deposits: ReadonlyMap<number, ModelDeposit>;
  readonly firstDay: number;
  lastDay: number;
  readonly multiplierMillionths: bigint;
  readonly decimals: number;
  cap: bigint;
  total: bigint;
  readonly participantsPerWallet: number | null;
  readonly minimumMicros: number | null;

  constructor(
    deposits: ReadonlyMap<number, ModelDeposit>,
    terms: {
      firstDay: number;
      lastDay: number;
      multiplierMillionths: bigint;
      decimals: number;
      cap: bigint;
      total: bigint;
      participantsPerWallet: number | null;
      minimumMicros: number | null;
    },
  ) {
    this.deposits = deposits;
    this.firstDay = terms.firstDay;
    this.lastDay = terms.lastDay;
    this.multiplierMillionths = terms.multiplierMillionths;
    this.decimals = terms.decimals;
    this.cap = terms.cap;
    this.total = terms.total;
    this.participantsPerWallet = terms.participantsPerWallet;
    this.minimumMicros = terms.minimumMicros;
  }

  /** The day of the earliest completed deposit in the window that is large enough, or null. */
  qualifiedDay({ address, chainId }: Wallet): number | null {
    let earliest: number | null = null;
    for (const deposit of this.deposits.values()) {
      if (!deposit.completed || deposit.address !== address || deposit.chainId !== chainId) continue;
      if (deposit.day < this.firstDay || deposit.day > this.lastDay) continue;
      if (this.minimumMicros !== null && deposit.micros < this.minimumMicros) continue;
      if (earliest === null || deposit.day < earliest) earliest = deposit.day;
    }
    return earliest;
  }

  participant(user: string): ModelParticipant | undefined {
    return this.participants.find((participant) => participant.user === user);
  }

  /** Null when the submission would be accepted. */
  refusal(user: string, wallets: readonly Wallet[]): string | null {
    if (this.status !== "ACTIVE") return "CAMPAIGN_NOT_ACTIVE";
    if (!wallets.some((wallet) => this.qualifiedDay(wallet) !== null)) return "NO_QUALIFYING_WALLET";
    return wallets.some((wallet) => this.isClaimed(user, wallet)) ? "WALLET_CLAIMED" : null;
  }

  /** Whether as many others as allowed have named the wallet, and this user has not. */
  isClaimed(user: string, { address, chainId }: Wallet): boolean {
    if (this.participantsPerWallet === null) return false;
    const holders = this.participants.filter(({ wallets }) =>
      wallets.some((held) => held.address === address && held.chainId === chainId),
    );
    return holders.every((holder) => holder.user !== user) && holders.length >= this.participantsPerWallet;
  }

  accept(
    user: string,
    wallets: readonly Wallet[],
    profit: bigint,
  ): { created: boolean; participant: ModelParticipant } {
    let participant = this.participant(user);
    const created = participant === undefined;
    if (participant === undefined) {
      participant = {
        user,
        profit: 0n,
        matched: 0n,
        cap: 0n,
        firstDay: Number.POSITIVE_INFINITY,
        wallets: [],
        payouts: [],
        receiver: null,
      };
      this.participants.push(participant);
    }
    for (const wallet of wallets) {
      const known = participant.wallets.some(
        ({ address, chainId }) => address === wallet.address && chainId === wallet.chainId,
      );
      if (!known) participant.wallets.push(wallet);
    }
    for (const wallet of participant.wallets) {
      participant.firstDay = Math.min(participant.firstDay, this.qualifiedDay(wallet) ?? Number.POSITIVE_INFINITY);
    }
    // USDC with 6 decimals, times the multiplier, in the campaign's token, floored once.
    const multiple = (profit * this.multiplierMillionths * 10n ** BigInt(this.decimals)) / 10n ** 12n;
    let cap = this.cap;
    if (participant.cap > cap) cap = participant.cap;
    const affordable = participant.matched + this.total - this.committed;
    let target = multiple;
    if (cap < target) target = cap;
    if (affordable < target) target = affordable;
    if (target > participant.matched) {
      this.committed += target - participant.matched;
      participant.matched = target;
    }
    if (participant.matched > 0n) {
      participant.receiver ??=
        participant.wallets.find(
          (wallet) => wallet.chainId === 8453 && !/^0x0+$/.test(wallet.address) && this.qualifiedDay(wallet) !== null,
        ) ?? null;
    }
    participant.cap = cap;
    participant.profit = profit;
    return { created, participant };
  }

  static open({ payouts }: ModelParticipant): bigint {
    return total(payouts.filter(({ status }) => status === "PENDING" || status === "SUBMITTED"));
  }

  static confirmed({ payouts }: ModelParticipant): bigint {
    return total(payouts.filter(({ status }) => status === "CONFIRMED"));
  }

  static statusOf(participant: ModelParticipant): string {
    if (participant.matched === 0n) return "QUALIFIED";
    if (ModelCampaign.confirmed(participant) >= participant.matched) return "PAID";
    if (
      participant.payouts.findLast(({ cancelled }) => !cancelled)?.status === "FAILED" &&
      ModelCampaign.open(participant) === 0n
    )
      return "FAILED";
    return "MATCHED";
  }

  static owed(participant: ModelParticipant): bigint {
    return participant.matched - ModelCampaign.open(participant) - ModelCampaign.confirmed(participant);
  }
}

function total(payouts: readonly ModelPayout[]): bigint {
  return payouts.reduce((sum, { amount }) => sum + amount, 0n);
}
