// Submits every user's trade profit to every campaign that accepts data. Run it each night: submitting again is always
// safe, so a run that broke off is simply started once more.
//
//   MATCHBOOK_BASE_URL=… MATCHBOOK_MERCHANT_ID=… MATCHBOOK_KEY_FILE=merchant.pem node nightly-profits.mjs profits.json
//
// profits.json: [{ "userId": "user-1", "profit": "500000000", "wallets": [{ "address": "0x…", "chainId": 8453 }] }], with
// the profit in USDC base units (six decimals).

import { readFileSync } from "node:fs";
import { importPrivateKey, Matchbook, MatchbookError } from "@matchbook/sdk";

const { MATCHBOOK_BASE_URL, MATCHBOOK_MERCHANT_ID, MATCHBOOK_KEY_FILE, MATCHBOOK_ENVIRONMENT } = process.env;
for (const [name, value] of Object.entries({ MATCHBOOK_BASE_URL, MATCHBOOK_MERCHANT_ID, MATCHBOOK_KEY_FILE })) {
  if (!value) throw new Error(`Set ${name}.`);
}
const CONCURRENT_SUBMISSIONS = 8;

const profits = JSON.parse(readFileSync(process.argv[2] ?? "profits.json", "utf8"));
// Every request is signed for itself alone. Set MATCHBOOK_ENVIRONMENT=production there: a wrong address is then refused.
const client = new Matchbook({
  baseUrl: MATCHBOOK_BASE_URL,
  merchantId: MATCHBOOK_MERCHANT_ID,
  privateKey: await importPrivateKey(readFileSync(MATCHBOOK_KEY_FILE, "utf8")),
  environment: MATCHBOOK_ENVIRONMENT,
});

const counts = { created: 0, updated: 0, notQualified: 0, failed: 0 };

async function submit(campaign, { userId, profit, wallets }) {
  try {
    const { created } = await client.participants.submit(campaign.id, {
      merchantUserId: userId,
      wallets: wallets.map(({ address, chainId }) => ({ address, chain: { id: chainId } })),
      amount: { amount: profit, currency: "USDC", decimalPlaces: 6 },
    });
    counts[created ? "created" : "updated"]++;
  } catch (error) {
    if (!(error instanceof MatchbookError)) throw error;
    // A user who made no deposit in the window takes no part. That is no failure.
    if (error.code === "NO_QUALIFYING_WALLET") {
      counts.notQualified++;
      return;
    }
    counts.failed++;
    console.error(`${userId}: ${error.code} (request ${error.requestId ?? "-"}): ${error.message}`);
  }
}

for await (const campaign of client.campaigns.list()) {
  if (campaign.status !== "ACTIVE") continue;
  const waiting = [...profits];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await submit(campaign, next);
  };
  await Promise.all(Array.from({ length: CONCURRENT_SUBMISSIONS }, worker));
}

console.log(JSON.stringify(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
