// Four eyes: a covered change is made when a second person has approved exactly what would be changed. The change itself is the
// only code that knows what that is: it calls `actor.review` in its own transaction, with its rows locked. The first time, that
// ends the transaction and the change is stored as a request. When the request is approved, the change runs again, in the
// transaction of the decision, and must propose the very same.
import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { addressKey } from "@matchbook/addresses/chains";
import { type Actor, type ChangeDependencies, type Proposal, SERVICE } from "../../audit/audit.ts";
import type { ApprovalsConfig } from "../../config.ts";
import { joinTransaction } from "../../db/join.ts";
import type { Database, Queryable } from "../../db/pool.ts";
import { AppError, fail } from "../../http/errors.ts";
import { APPROVAL_LIFE_MS } from "../../limits.ts";
import { findPerson, isUsableToken } from "../token-queries.ts";
import { expireApprovals, findAsked, hasOverdue, insertApproval, lockApproval, updateDecided } from "./queries.ts";
import type { Approval, Operator } from "./record.ts";

export interface CoveredChange<Input extends object, Result> {
  /** Makes the change on this database, which may be a transaction already. It calls `actor.review` before it writes. */
  readonly apply: (db: Database, input: Input, actor: Actor) => Promise<Result>;
  /** What must happen before the call is answered, once the change is committed. */
  readonly afterwards?: () => Promise<void>;
  /** Approving changes nothing by itself: it lets the same call of the one who asked through. */
  readonly isMadeByAsker?: boolean;
}

export type Outcome<Result> = { readonly approval: Approval } | { readonly approval: null; readonly result: Result };

export interface ApprovalDependencies extends ChangeDependencies {
  readonly settings: ApprovalsConfig;
}

export type Approvals = ReturnType<typeof createApprovals>;

/** Ends the transaction of a change that needs a second person. */
class NeedsApproval extends Error {
  readonly proposal: Proposal;

  constructor(proposal: Proposal) {
    super("The change needs a second person.");
    this.proposal = proposal;
  }
}

export function createApprovals({ db, clock, audit, settings }: ApprovalDependencies) {
  const changes = new Map<string, CoveredChange<object, unknown>>();
  const thresholds = new Map(settings.thresholds.map((one) => [tokenKey(one), one.amount]));

  function isSmall({ amount }: Proposal): boolean {
    const threshold = amount && thresholds.get(tokenKey(amount));
    return threshold !== undefined && amount !== undefined && amount.value < threshold;
  }

  async function request(action: string, input: object, actor: Actor, proposal: Proposal): Promise<Approval> {
    await expireOverdue();
    const { subject, merchantId, change } = proposal;
    const requestHash = hashOf(action, input, actor, change);
    return db.transaction(async (transaction) => {
      const now = clock();
      const expireDate = new Date(now.getTime() + APPROVAL_LIFE_MS);
      const asked = await insertApproval(transaction, {
        id: randomUUID(),
        action,
        subject,
        merchantId,
        change: JSON.stringify(change),
        input: JSON.stringify(input),
        requestHash,
        requestedBy: operatorOf(actor),
        createDate: now,
        expireDate,
      });
      // The same call waits already, or was decided a moment ago.
      if (asked === null) return (await findAsked(transaction, requestHash)) ?? fail("APPROVAL_NOT_FOUND");
      await audit.record(transaction, {
        actor,
        action: "approval.request",
        subject: asked.id,
        merchantId,
        detail: { action, subject, change, expiresAt: expireDate.toISOString() },
        date: now,
      });
      return asked;
    });
  }

  async function isApproved(transaction: Queryable, requestHash: Buffer): Promise<boolean> {
    const asked = await findAsked(transaction, requestHash);
    if (asked?.status !== "APPROVED" || asked.decideDate === null) return false;
    return clock().getTime() < asked.decideDate.getTime() + APPROVAL_LIFE_MS;
  }

  /** A request of a token that has ended is worth nothing: it may have been stolen. */
  async function checkAsker(on: Queryable, { id, name }: Operator): Promise<void> {
    const isUsable = id === null ? !(await audit.isBootstrapClosed(on)) : await isUsableToken(on, id, clock());
    if (!isUsable) fail("APPROVAL_OUTDATED", `The token that asked, ${name}, has ended. Reject the request.`);
  }

  /** The request, locked, when this actor may decide it now; or as it is, when this actor has decided it so before. */
  async function lockFor(transaction: Queryable, id: string, actor: Actor, wanted: "APPROVED" | "REJECTED", now: Date) {
    const approval = (await lockApproval(transaction, id)) ?? fail("APPROVAL_NOT_FOUND");
    const { requestedBy, decidedBy, status, expireDate } = approval;
    const me = actor.tokenId ?? null;
    if ((await personOf(transaction, requestedBy.id)) === (await personOf(transaction, me))) {
      fail("APPROVAL_NEEDS_ANOTHER");
    }
    if (status === wanted && decidedBy !== null && decidedBy.id === me) return { approval, isRepeat: true };
    if (status !== "PENDING") fail("APPROVAL_ALREADY_DECIDED", `The request is already ${status}.`);
    if (expireDate <= now) fail("APPROVAL_ALREADY_DECIDED", "The request has expired.");
    return { approval, isRepeat: false };
  }

  /** Makes the change in the transaction of the decision, if it is still the one that was shown. */
  async function execute(transaction: Queryable, approval: Approval, actor: Actor): Promise<void> {
    const change = changes.get(approval.action) ?? fail("APPROVAL_OUTDATED", "This version does not know the change.");
    if (change.isMadeByAsker === true) return;
    let isReviewed = false;
    const review: Actor["review"] = async (_transaction, proposal) => {
      isReviewed = true;
      const differing = differingFields(approval.change, JSON.parse(JSON.stringify(proposal.change)));
      if (differing.length > 0) {
        fail("APPROVAL_OUTDATED", `Since the change was asked for, something else changed: ${differing.join(", ")}.`);
      }
      return "approved";
    };
    try {
      await change.apply(joinTransaction(db, transaction), approval.input, { ...actor, review });
    } catch (error) {
      throw isRefusal(error)
        ? new AppError("APPROVAL_OUTDATED", `It cannot be done any more: ${error.message}`)
        : error;
    }
    if (!isReviewed) fail("APPROVAL_OUTDATED", "There is nothing left to change.");
  }

  async function expireOverdue(): Promise<void> {
    if (!(await hasOverdue(db, clock()))) return;
    await db.transaction(async (transaction) => {
      const now = clock();
      for (const { id, action, subject, merchantId, requestedBy } of await expireApprovals(transaction, now)) {
        await audit.record(transaction, {
          actor: SERVICE,
          action: "approval.expire",
          subject: id,
          merchantId,
          detail: { action, subject, requestedBy: requestedBy.name },
          date: now,
        });
      }
    });
  }

  return {
    isOn: settings.isOn,

    /** Called before requests are read, and now and then, so that each end is in the audit log. */
    expireOverdue,

    /** Puts a change under four eyes. The function it returns makes the change, or stores the request for it. */
    cover<Input extends object, Result>(action: string, change: CoveredChange<Input, Result>) {
      const { apply, afterwards, isMadeByAsker = false } = change;
      changes.set(action, { ...change, apply: (on, input, actor) => apply(on, input as Input, actor) });
      return async (actor: Actor, input: Input): Promise<Outcome<Result>> => {
        const review: Actor["review"] = async (transaction, proposal) => {
          if (!settings.isOn || isSmall(proposal)) return "not needed";
          const requestHash = hashOf(action, input, actor, proposal.change);
          if (isMadeByAsker && (await isApproved(transaction, requestHash))) return "approved";
          throw new NeedsApproval(proposal);
        };
        try {
          const result = await apply(db, input, { ...actor, review });
          await afterwards?.();
          return { approval: null, result };
        } catch (error) {
          if (!(error instanceof NeedsApproval)) throw error;
          return { approval: await request(action, input, actor, error.proposal) };
        }
      };
    },

    /** Makes the change and stores the decision, both or neither. */
    async approve(id: string, actor: Actor, reason: string | null): Promise<Approval> {
      await expireOverdue();
      const decided = await db.transaction(async (transaction) => {
        const now = clock();
        const { approval, isRepeat } = await lockFor(transaction, id, actor, "APPROVED", now);
        if (isRepeat) return approval;
        const both = {
          ...actor,
          recheck: async (on: Queryable) => {
            await actor.recheck?.(on);
            await checkAsker(on, approval.requestedBy);
          },
        };
        await execute(transaction, approval, both);
        return decide(transaction, approval, both, { status: "APPROVED", reason }, now);
      });
      await changes.get(decided.action)?.afterwards?.();
      return decided;
    },

    async reject(id: string, actor: Actor, reason: string | null): Promise<Approval> {
      await expireOverdue();
      return db.transaction(async (transaction) => {
        const now = clock();
        const { approval, isRepeat } = await lockFor(transaction, id, actor, "REJECTED", now);
        return isRepeat ? approval : decide(transaction, approval, actor, { status: "REJECTED", reason }, now);
      });
    },
  };

  async function decide(
    transaction: Queryable,
    { id, action, subject, merchantId, requestedBy, change }: Approval,
    actor: Actor,
    { status, reason }: { status: "APPROVED" | "REJECTED"; reason: string | null },
    now: Date,
  ): Promise<Approval> {
    const decided = await updateDecided(transaction, id, { status, decidedBy: operatorOf(actor), reason }, now);
    await audit.record(transaction, {
      actor,
      action: status === "APPROVED" ? "approval.approve" : "approval.reject",
      subject: id,
      merchantId,
      detail: { action, subject, requestedBy: requestedBy.name, change, ...(reason !== null && { reason }) },
      date: now,
    });
    return decided;
  }
}

const operatorOf = ({ tokenId = null, name }: Actor): Operator => ({ id: tokenId, name });

const personOf = async (on: Queryable, tokenId: string | null) => tokenId && (await findPerson(on, tokenId));

const tokenKey = ({ chainId, tokenAddress }: { chainId: number; tokenAddress: string }) =>
  `${chainId}:${addressKey(tokenAddress)}`;

/** The same for the same request, in any order of its fields. */
function hashOf(action: string, input: object, actor: Actor, change: object): Buffer {
  const text = JSON.stringify([action, actor.tokenId ?? null, input, change], (_field, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(text).digest();
}

function differingFields(shown: Approval["change"], found: Record<string, unknown>): string[] {
  const fields = [...new Set([...Object.keys(shown), ...Object.keys(found)])];
  return fields.filter((field) => !isDeepStrictEqual(shown[field], found[field]));
}

/** The change itself was refused. Other errors are about the caller or the database. */
function isRefusal(error: unknown): error is AppError {
  if (!(error instanceof AppError) || error.code === "APPROVAL_OUTDATED" || error.code === "OPERATOR_CHANGED")
    return false;
  return [400, 404, 409, 422].includes(error.status);
}
