import { withChecksum } from "@matchbook/addresses";
import { formatUnits } from "../../amounts.ts";
import type { Queryable } from "../../db/pool.ts";
import { OWED_PAGE_ROWS } from "../../limits.ts";
import { flagsOf } from "../participants/receiver.ts";
import type { Campaign } from "../record.ts";
import { csvLine } from "./csv.ts";
import { listOwed, type OwedPosition } from "./queries.ts";

/** Those with a receiver, or those without one. */
export type OwedSection = "payable" | "unreachable";

// A file that is read is not paid: it reserves nothing, so two of them would pay twice. Safe's CSV airdrop reads columns called
// receiver, amount and token_address even if the first one has another name, so no column is called so.
const COLUMNS = [
  "report_only_not_for_payment",
  "participant_id",
  "merchant_user_id",
  "receiver_address",
  "owed_amount",
  "owed_currency",
  "payout_token",
  "flags",
];

/** What is still to be paid, one line per participant, oldest first. The first column says whether the participant is held. */
export async function* owedCsv(db: Queryable, campaign: Campaign, section: OwedSection): AsyncGenerator<string> {
  const { payoutTokenAddress, currency, decimalPlaces } = campaign;
  yield csvLine(COLUMNS);
  let after: OwedPosition | null = null;
  do {
    const { rows, next } = await listOwed(db, campaign, after, OWED_PAGE_ROWS);
    const lines = rows
      .filter(({ receiver }) => (receiver !== null) === (section === "payable"))
      .map(({ participantId, merchantUserId, receiver, held, owed, isShared }) =>
        csvLine([
          held ? "HELD" : "OWED",
          participantId,
          merchantUserId,
          receiver === null ? "" : withChecksum(receiver.address),
          formatUnits(owed, decimalPlaces),
          currency,
          payoutTokenAddress,
          flagsOf(receiver, isShared).join(" "),
        ]),
      );
    if (lines.length > 0) yield lines.join("");
    after = next;
  } while (after !== null);
}
