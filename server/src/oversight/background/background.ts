import { setTimeout as pause } from "node:timers/promises";
import { AUDIT_FINDINGS_MAX, SECOND_MS } from "../../limits.ts";
import { WALKED, WALKED_NAMES } from "../checks/checks.ts";
import { findWalk, listFigures, listFindings, listWalks } from "./queries.ts";
import { type AuditDependencies, auditAgain, auditNews, NEWS_WALK } from "./steps.ts";

export interface BackgroundAuditOptions extends AuditDependencies {
  readonly tickMs: number;
  readonly log: { warn(fields: object, message: string): void };
}

/** Goes on with the audit until stopped. Every process has this loop; one of them at a time does a step that is due. */
export function startBackgroundAudit(options: BackgroundAuditOptions) {
  const stopping = new AbortController();
  const loop = run(options, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}

async function run(options: BackgroundAuditOptions, stopping: AbortSignal): Promise<void> {
  const wait = (ms = options.tickMs) => pause(ms, undefined, { signal: stopping }).catch(() => {});
  await wait();
  while (!stopping.aborted) {
    try {
      const startedAt = performance.now();
      if ((await auditNews(options)) === "more") {
        // A long first round leaves a third of the time to the other reports on this connection.
        await wait((performance.now() - startedAt) / 2);
        continue;
      }
      for (const table of Object.keys(WALKED) as (keyof typeof WALKED)[]) {
        if (!stopping.aborted) await auditAgain(options, table);
      }
    } catch (error) {
      options.log.warn(
        { reason: (error as Error).message },
        "a step of the background audit failed and will be retried",
      );
    }
    await wait();
  }
}

export interface StoredVerdict {
  readonly ok: boolean;
  readonly checks: { readonly name: string; readonly ok: boolean; readonly detail: string }[];
  /** When the audit last checked anything. */
  readonly date: Date | null;
  /** Every submission that was accepted before this is checked. Null until the first round is done. */
  readonly coveredUntil: Date | null;
}

/** What the background audit knows. It costs the same however much there is to check. */
export async function readStoredVerdict({ db }: Pick<AuditDependencies, "db">): Promise<StoredVerdict> {
  return db.transaction(
    async (transaction) => {
      const findings = await listFindings(transaction, AUDIT_FINDINGS_MAX);
      const figures = new Map((await listFigures(transaction)).map((figure) => [figure.name, figure]));
      const walks = new Map((await listWalks(transaction)).map((walk) => [walk.name, walk]));
      const checks = WALKED_NAMES.map((name) => {
        const found = findings.filter(({ checkName }) => checkName === name).map(({ detail }) => detail);
        const detail = found.length === 0 ? `${figures.get(name)?.checked ?? 0} checked` : found.join("; ");
        return { name, ok: found.length === 0, detail };
      });
      const coveredUntil = walks.get(NEWS_WALK)?.doneBeginDate ?? null;
      const dates = [...figures.values()].map(({ date }) => date.getTime());
      return {
        ok: findings.length === 0 && coveredUntil !== null,
        checks,
        date: dates.length === 0 ? coveredUntil : new Date(Math.max(...dates)),
        coveredUntil,
      };
    },
    { isolation: "repeatable read" },
  );
}

/** Up to a maximum. */
export async function countFindings({ db }: Pick<AuditDependencies, "db">): Promise<number> {
  return (await listFindings(db, AUDIT_FINDINGS_MAX)).length;
}

/** In seconds. Null until the first round is done. */
export async function readCoveredAge({ db, clock }: Pick<AuditDependencies, "db" | "clock">): Promise<number | null> {
  const coveredUntil = (await findWalk(db, NEWS_WALK))?.doneBeginDate ?? null;
  return coveredUntil && (clock().getTime() - coveredUntil.getTime()) / SECOND_MS;
}
