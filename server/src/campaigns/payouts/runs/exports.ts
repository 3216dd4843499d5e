// The files that pay a run. They depend on nothing that changes, so every export of a run has the same bytes.
import { setImmediate } from "node:timers/promises";
import { keccak256, withChecksum } from "@matchbook/addresses";
import { formatUnits } from "../../../amounts.ts";
import { SAFE_BATCH_TRANSFERS_MAX } from "../../../limits.ts";
import { csvLine } from "../csv.ts";
import type { ExportFormat, PayoutRun, RunPayment } from "./record.ts";

/** Safe's tools know EVM chains alone. */
export const isForSafe = (format: ExportFormat): boolean => format.startsWith("safe-");

export interface ExportedFile {
  readonly name: string;
  readonly type: "text/csv; charset=utf-8" | "application/json; charset=utf-8";
  readonly text: string;
}

/** Checksums take half a second for 10,000 payments, so other requests go first after each batch of them. */
export async function renderExport(
  run: PayoutRun,
  payments: readonly RunPayment[],
  format: ExportFormat,
): Promise<ExportedFile> {
  const batches: RunPayment[][] = [];
  for (let start = 0; start < payments.length; start += SAFE_BATCH_TRANSFERS_MAX) {
    const batch = payments.slice(start, start + SAFE_BATCH_TRANSFERS_MAX);
    batches.push(batch.map((one) => ({ ...one, recipientAddress: withChecksum(one.recipientAddress) })));
    await setImmediate();
  }
  const isCsv = format === "csv" || format === "safe-airdrop";
  return {
    name: `payout-run-${run.id}-${format}.${isCsv ? "csv" : "json"}`,
    type: isCsv ? "text/csv; charset=utf-8" : "application/json; charset=utf-8",
    text: await RENDER[format](run, batches),
  };
}

type Render = (run: PayoutRun, batches: readonly (readonly RunPayment[])[]) => string | Promise<string>;

const RENDER: Record<ExportFormat, Render> = {
  csv: (run, batches) => renderCsv(run, batches.flat()),
  "safe-airdrop": (run, batches) => renderSafeAirdrop(run, batches.flat()),
  "safe-builder": renderSafeBuilder,
  json: (run, batches) => renderJson(run, batches.flat()),
};

const CSV_COLUMNS = [
  "payout_id",
  "receiver",
  "amount",
  "amount_base_units",
  "currency",
  "token_address",
  "chain_id",
  "participant_id",
  "merchant_user_id",
  "campaign_id",
  "flags",
];

function renderCsv(run: PayoutRun, payments: readonly RunPayment[]): string {
  const lines = payments.map((payment) =>
    csvLine([
      payment.payoutId,
      payment.recipientAddress,
      formatUnits(payment.amount, run.decimalPlaces),
      String(payment.amount),
      run.currency,
      run.tokenAddress,
      String(run.chainId),
      payment.participantId,
      payment.merchantUserId,
      payment.campaignId,
      payment.flags.join(" "),
    ]),
  );
  return csvLine(CSV_COLUMNS) + lines.join("");
}

// The columns of Safe's CSV airdrop. `id` is for collectibles. A native token has no contract.
function renderSafeAirdrop(run: PayoutRun, payments: readonly RunPayment[]): string {
  const token = isNative(run.tokenAddress) ? ["native", ""] : ["erc20", withChecksum(run.tokenAddress)];
  const lines = payments.map(({ recipientAddress, amount }) =>
    csvLine([...token, recipientAddress, formatUnits(amount, run.decimalPlaces), ""]),
  );
  return csvLine(["token_type", "token_address", "receiver", "amount", "id"]) + lines.join("");
}

function renderJson(run: PayoutRun, payments: readonly RunPayment[]): string {
  const { id, merchantId, campaignId, chainId, tokenAddress, currency, decimalPlaces } = run;
  return JSON.stringify({
    runId: id,
    merchantId,
    campaignId,
    chainId,
    tokenAddress,
    payouts: payments.map(({ payoutId, amount, ...payment }) => ({
      payoutId,
      ...payment,
      amount: { amount: String(amount), currency, decimalPlaces },
    })),
  });
}

/** Batches for Safe's transaction builder, which cannot simulate or sign very many transfers together. */
async function renderSafeBuilder(run: PayoutRun, batches: readonly (readonly RunPayment[])[]): Promise<string> {
  const tokenAddress = withChecksum(run.tokenAddress);
  const files: object[] = [];
  for (const [index, payments] of batches.entries()) {
    const batch = {
      version: "1.0",
      chainId: String(run.chainId),
      createdAt: run.createDate.getTime(),
      meta: {
        name: `Payout run ${run.id}, ${index + 1} of ${batches.length}`,
        description: `Payouts ${payments[0]?.payoutId} to ${payments.at(-1)?.payoutId}`,
        txBuilderVersion: "1.18.2",
        createdFromSafeAddress: "",
        createdFromOwnerAddress: "",
      },
      transactions: payments.map((payment) => transferOf(tokenAddress, payment)),
    };
    files.push({ ...batch, meta: { ...batch.meta, checksum: checksumOf(batch) } });
    await setImmediate();
  }
  return JSON.stringify({ files });
}

const TRANSFER = {
  inputs: [
    { internalType: "address", name: "to", type: "address" },
    { internalType: "uint256", name: "value", type: "uint256" },
  ],
  name: "transfer",
  payable: false,
};

// The builder takes numbers as text only: a JSON number would lose digits.
function transferOf(tokenAddress: string, { recipientAddress, amount }: RunPayment) {
  if (isNative(tokenAddress)) return { to: recipientAddress, value: String(amount), data: null };
  return {
    to: tokenAddress,
    value: "0",
    data: null,
    contractMethod: TRANSFER,
    contractInputsValues: { to: recipientAddress, value: String(amount) },
  };
}

const isNative = (tokenAddress: string) => /^0x0{40}$/.test(tokenAddress);

/** The builder warns that a file was modified unless this is right. It does not cover the name, which people may edit. */
function checksumOf(batch: { readonly meta: object }): string {
  return keccak256(serialize({ ...batch, meta: { ...batch.meta, name: null } }));
}

// The builder's own form: of an object its sorted keys, then the values in that order, each with a comma behind it.
function serialize(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serialize).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = value as Record<string, unknown>;
  const keys = Object.keys(members).sort();
  return `{${JSON.stringify(keys)}${keys.map((key) => `${serialize(members[key])},`).join("")}}`;
}
