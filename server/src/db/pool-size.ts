import { POOL_SIZE_MAX } from "../limits.ts";

/**
 * How many connections each process opens to its database, so that all processes of all environments together stay below half of
 * what the server allows. The other half is for a second host, a migration or a person.
 */
export function poolSizeFor(connections: number, processes: number): number {
  const share = Math.floor(connections / 2 / processes);
  return Math.max(1, Math.min(POOL_SIZE_MAX, share));
}
