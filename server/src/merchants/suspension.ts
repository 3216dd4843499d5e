import { isDeepStrictEqual } from "node:util";
import type { Actor, ChangeDependencies } from "../audit/audit.ts";
import { isUniqueViolation } from "../db/failures.ts";
import { fail } from "../http/errors.ts";
import { enqueueMail, type Mail } from "../outbox/mail.ts";
import { reinstatementMail, suspensionMail } from "./account-mails.ts";
import { waitForCaches } from "./cache-expiry.ts";
import { lockMerchant, updateMerchant } from "./queries.ts";
import type { Merchant, RateLimit } from "./record.ts";

export interface MerchantDependencies extends ChangeDependencies {
  readonly mailsMerchants: boolean;
}

export async function suspend(
  dependencies: MerchantDependencies,
  merchantId: string,
  actor: Actor,
  reason?: string,
): Promise<Merchant> {
  const moved = await move(
    dependencies,
    merchantId,
    { from: "ACTIVE", to: "SUSPENDED", action: "merchant.suspend", mailFor: suspensionMail, reason },
    actor,
  );
  await waitForCaches();
  return moved;
}

export function reinstate(
  dependencies: MerchantDependencies,
  merchantId: string,
  actor: Actor,
  reason?: string,
): Promise<Merchant> {
  return move(
    dependencies,
    merchantId,
    { from: "SUSPENDED", to: "ACTIVE", action: "merchant.reinstate", mailFor: reinstatementMail, reason },
    actor,
  );
}

interface Move {
  readonly from: "ACTIVE" | "SUSPENDED";
  readonly to: "ACTIVE" | "SUSPENDED";
  readonly action: string;
  readonly mailFor: (merchant: Merchant) => Mail;
  readonly reason: string | undefined;
}

// A repeated call changes nothing. Only a merchant that was never approved is refused.
async function move(
  { db, clock, audit, mailsMerchants }: MerchantDependencies,
  merchantId: string,
  { from, to, action, mailFor, reason }: Move,
  actor: Actor,
) {
  return db.transaction(async (transaction) => {
    const merchant = (await lockMerchant(transaction, merchantId)) ?? fail("MERCHANT_NOT_FOUND");
    if (merchant.status === to) return merchant;
    if (merchant.status !== from) {
      fail("MERCHANT_TRANSITION_INVALID", `The merchant is ${merchant.status}, not ${from}.`);
    }
    const now = clock();
    const moved = await updateMerchant(transaction, merchantId, { status: to }, now).catch((error: unknown) => {
      if (isUniqueViolation(error, "merchants_active_key")) fail("PUBLIC_KEY_IN_USE");
      throw error;
    });
    if (mailsMerchants) await enqueueMail(transaction, mailFor(moved), now);
    await audit.record(transaction, {
      actor,
      action,
      subject: merchantId,
      merchantId,
      detail: { from, to, reason },
      date: now,
    });
    return moved;
  });
}

export interface MerchantEdit {
  readonly displayName?: string;
  readonly requireBoundSignatures?: boolean;
  /** Null: the limits of all merchants. */
  readonly rateLimit?: RateLimit | null;
}

/** Absent fields stay as they are. Each field that changes has its own audit row. */
export async function edit(
  { db, clock, audit }: ChangeDependencies,
  merchantId: string,
  change: MerchantEdit,
  actor: Actor,
): Promise<Merchant> {
  const edited = await db.transaction(async (transaction) => {
    const merchant = (await lockMerchant(transaction, merchantId)) ?? fail("MERCHANT_NOT_FOUND");
    const changes = EDIT_ACTIONS.flatMap(([field, action]) => {
      const [from, to] = [merchant[field], change[field]];
      return to === undefined || isDeepStrictEqual(to, from) ? [] : [{ action, detail: { from, to } }];
    });
    if (changes.length === 0) return merchant;
    const now = clock();
    const updated = await updateMerchant(transaction, merchantId, change, now);
    for (const { action, detail } of changes) {
      await audit.record(transaction, { actor, action, subject: merchantId, merchantId, detail, date: now });
    }
    return updated;
  });
  // Also when nothing changed: an earlier call may have committed a moment ago.
  if (change.requireBoundSignatures === true || change.rateLimit !== undefined) await waitForCaches();
  return edited;
}

const EDIT_ACTIONS = [
  ["displayName", "merchant.rename"],
  ["requireBoundSignatures", "merchant.require-bound"],
  ["rateLimit", "merchant.rate-limit"],
] as const;
