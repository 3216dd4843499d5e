import { formatUnits } from "../../amounts.ts";
import type { Queryable } from "../../db/pool.ts";
import { OWED_PAGE_ROWS } from "../../limits.ts";
import type { Campaign } from "../record.ts";
import { listOwed, type OwedPosition } from "./queries.ts";

/** Those with a wallet on the payout chain, or those without one. */
export type OwedSection = "payable" | "unreachable";

/**
 * What is still to be paid, in the columns of Safe's CSV airdrop (`id` is for collectibles and stays empty). Participants
 * without a wallet on the payout chain are in a separate file, because a disbursement tool cannot read their lines.
 */
export async function* owedCsv(db: Queryable, campaign: Campaign, section: OwedSection): AsyncGenerator<string> {
  const { payoutTokenAddress, decimalPlaces } = campaign;
  const isPayable = section === "payable";
  yield line(
    isPayable
      ? ["token_type", "token_address", "receiver", "amount", "id"]
      : ["participant_id", "merchant_user_id", "amount", "token_address"],
  );
  let after: OwedPosition | null = null;
  do {
    const { rows, next } = await listOwed(db, campaign, after, OWED_PAGE_ROWS);
    const lines = rows
      .filter(({ receiver }) => (receiver !== null) === isPayable)
      .map(({ receiver, owed, participantId, merchantUserId }) => {
        const amount = formatUnits(owed, decimalPlaces);
        return line(
          receiver === null
            ? [participantId, merchantUserId, amount, payoutTokenAddress]
            : ["erc20", payoutTokenAddress, receiver, amount, ""],
        );
      });
    if (lines.length > 0) yield lines.join("");
    after = next;
  } while (after !== null);
}

function line(fields: readonly string[]): string {
  return `${fields.map(field).join(",")}\r\n`;
}

// A user id is any text its merchant chose. Without the quote, a spreadsheet would run one that starts like a formula.
function field(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
