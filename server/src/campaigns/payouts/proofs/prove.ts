// Looks for the transactions of submitted payouts on their chains. Nothing is decided before a transaction is final: until then
// every look reads it again, so a reorganisation changes only what the next look sees.
import type { ChangeDependencies } from "../../../audit/audit.ts";
import type { Queryable } from "../../../db/pool.ts";
import { idOfKey } from "../../../http/idempotency.ts";
import {
  CHAIN_CALLS_AT_ONCE,
  CHAIN_LANE_CONCURRENCY,
  CHAIN_LOOK_INTERVAL_LAST_MS,
  CHAIN_PASS_MAX_MS,
  CHAIN_TRANSACTIONS_PER_PASS,
  OVERVIEW_COUNT_MAX,
  PAYOUTS_PER_RUN_MAX,
} from "../../../limits.ts";
import type { Lane } from "../../../outbox/outbox.ts";
import { deleteOtherJobs, insertMissingJobs } from "../../../outbox/queries.ts";
import type { ChainNode, ChainNodes } from "./node.ts";
import { countChains, listDueTransactions, postponeLook, takeNewPayouts, updateLook } from "./queries.ts";
import type { ChainTransaction } from "./record.ts";
import { settle } from "./settle.ts";

export const CHAIN_JOB = "chain";

interface ChainJob {
  readonly chainId: number;
}

export interface ProofDependencies extends ChangeDependencies {
  readonly nodes: ChainNodes;
  readonly log: { warn(fields: object, message: string): void };
  /** How long it waits between two looks. */
  readonly intervalMs: number;
}

const jobOf = (chainId: number) => ({ id: idOfKey(CHAIN_JOB, String(chainId)), payload: { chainId } });

/** Every chain has one job, which is never done. Called now and then, so that a job that is missing is made again. */
export async function addChainJobs(db: Queryable, { chains }: ChainNodes, now: Date): Promise<void> {
  if (chains.size > 0) await insertMissingJobs(db, CHAIN_JOB, [...chains.keys()].map(jobOf), now);
}

/** Called at the start: of chains that are no longer in CHAIN_RPC_URLS. */
export async function removeChainJobs(db: Queryable, { chains }: ChainNodes): Promise<void> {
  const jobs = [...chains.keys()].map(jobOf);
  await deleteOtherJobs(
    db,
    CHAIN_JOB,
    jobs.map(({ id }) => id),
  );
}

/** What is known of each chain, for the metrics. */
export function createChainFigures(db: Queryable) {
  const read = async (figure: "failures" | "waiting") =>
    new Map((await countChains(db, CHAIN_JOB, OVERVIEW_COUNT_MAX)).map((counts) => [counts.chain, counts[figure]]));
  return { failures: () => read("failures"), waiting: () => read("waiting") };
}

/** One process at a time looks at a chain: the outbox leases the job to it. A node that fails is tried again, for good. */
export function chainLane(dependencies: ProofDependencies): Lane<ChainJob> {
  const { nodes, clock, intervalMs } = dependencies;
  return {
    kind: CHAIN_JOB,
    concurrency: CHAIN_LANE_CONCURRENCY,
    neverGivesUp: true,
    async run({ chainId }) {
      const node = nodes.chains.get(chainId);
      const isMore = node !== undefined && (await look(dependencies, node));
      return new Date(clock().getTime() + (isMore ? 0 : intervalMs));
    },
  };
}

/** Looks at what is due. True: there is more. */
async function look(dependencies: ProofDependencies, node: ChainNode): Promise<boolean> {
  const { db, clock, log, intervalMs } = dependencies;
  const { chainId } = node;
  const endMs = performance.now() + CHAIN_PASS_MAX_MS;
  const taken = await takeNewPayouts(db, chainId, clock(), PAYOUTS_PER_RUN_MAX);
  const due = await listDueTransactions(db, chainId, clock(), CHAIN_TRANSACTIONS_PER_PASS);
  if (due.length === 0) return taken === PAYOUTS_PER_RUN_MAX;
  const head = await node.readHead();
  const failures: Error[] = [];
  let done = 0;
  const lookAtNext = async (): Promise<void> => {
    for (let next = due[done++]; next !== undefined && performance.now() < endMs; next = due[done++]) {
      const transaction = next;
      await lookAt(dependencies, node, head, transaction).catch(async (error: Error) => {
        failures.push(error);
        log.warn({ chainId, transaction: transaction.hash, reason: error.message }, "a transaction could not be read");
        // One transaction that cannot be read must not keep the others waiting.
        await postponeLook(db, chainId, transaction, nextLook(transaction, clock(), intervalMs));
      });
    }
  };
  await Promise.all(Array.from({ length: CHAIN_CALLS_AT_ONCE }, lookAtNext));
  const [failure] = failures;
  if (failure !== undefined && failures.length === due.length) throw failure;
  return done < due.length || due.length === CHAIN_TRANSACTIONS_PER_PASS || taken === PAYOUTS_PER_RUN_MAX;
}

async function lookAt(
  dependencies: ProofDependencies,
  node: ChainNode,
  head: number,
  transaction: ChainTransaction,
): Promise<void> {
  const { db, clock, log, intervalMs } = dependencies;
  const { chainId } = node;
  const { hash } = transaction;
  const receipt = await node.readReceipt(hash);
  const now = clock();
  if (transaction.blockHash !== null && receipt?.blockHash !== transaction.blockHash) {
    log.warn({ chainId, transaction: hash }, "a transaction left its block: the chain was reorganised");
  }
  if (receipt === null) {
    const nextLookDate = nextLook(transaction, now, intervalMs);
    await updateLook(db, chainId, transaction, { blockNumber: null, blockHash: null, confirmations: 0, nextLookDate });
    return;
  }
  const { blockNumber, blockHash } = receipt;
  const confirmations = Math.max(0, head - blockNumber + 1);
  // The hash is compared, because several nodes behind one address may know different chains.
  const isFinal = confirmations >= node.confirmations && (await node.readBlockHash(blockNumber)) === blockHash;
  if (!isFinal) {
    const nextLookDate = new Date(now.getTime() + intervalMs);
    await updateLook(db, chainId, transaction, { blockNumber, blockHash, confirmations, nextLookDate });
    return;
  }
  const reason = receipt.isReverted ? await node.readRevertReason(hash, blockNumber) : null;
  await settle(dependencies, { chainId, transaction, receipt, confirmations, reason });
}

/** A tenth of the time that it has been looked for. */
function nextLook({ createDate }: ChainTransaction, now: Date, intervalMs: number): Date {
  const ageMs = now.getTime() - createDate.getTime();
  return new Date(now.getTime() + Math.max(intervalMs, Math.min(ageMs / 10, CHAIN_LOOK_INTERVAL_LAST_MS)));
}
