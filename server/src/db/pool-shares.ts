import { OPERATORS_POOL_SHARE, STRANGERS_POOL_SHARE } from "../limits.ts";

export interface PoolShares {
  /** Merchants, deposits and background jobs. */
  readonly merchants: number;
  /** 0: they use the connections of the operators. */
  readonly strangers: number;
  /** 0: everybody uses the connections of the merchants. */
  readonly operators: number;
}

/**
 * Divides a process's connections, so that neither a flood of applications nor operators' reports can take those that serve
 * merchants. With two connections, strangers and operators share one; with one, everybody does.
 */
export function dividePool(poolSize: number): PoolShares {
  const part = (share: number) => Math.max(1, Math.floor(poolSize * share));
  const operators = poolSize < 2 ? 0 : part(OPERATORS_POOL_SHARE);
  const strangers = poolSize < 3 ? 0 : part(STRANGERS_POOL_SHARE);
  return { merchants: poolSize - operators - strangers, strangers, operators };
}
