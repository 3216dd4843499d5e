import type { Merchant } from "../../merchants/record.ts";
import type { Mail } from "../../outbox/mail.ts";
import type { Campaign } from "../record.ts";
import type { Participant } from "./record.ts";

/** The merchant's contact would notice a change that its user did not ask for. A user id is any text, so it is quoted. */
export function receiverMail(
  { email, domain, merchantId }: Merchant,
  { id, displayName }: Campaign,
  { merchantUserId }: Participant,
  { from, to, reason }: { from: string | null; to: string; reason: string },
): Mail {
  return {
    to: email,
    subject: `The payout address of one of your users was changed (${domain})`,
    text: [
      "The operator changed where a reward of one of your users is paid.",
      `User: ${JSON.stringify(merchantUserId)}\nCampaign: ${displayName} (${id})`,
      `Old address: ${from ?? "none"}\nNew address: ${to}\nReason: ${reason}`,
      "If your user did not ask for this, contact the operator immediately.",
      `Merchant id: ${merchantId}`,
      "",
    ].join("\n\n"),
  };
}
