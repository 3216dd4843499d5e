// Calls the sandbox with types that openapi-typescript made, and openapi-fetch.
import { createHash, createPrivateKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { paths } from "./matchbook.ts";

const { MATCHBOOK_BASE_URL, MATCHBOOK_MERCHANT_ID, MATCHBOOK_KEY_FILE = "" } = process.env;
const key = createPrivateKey(readFileSync(MATCHBOOK_KEY_FILE));

const client = createClient<paths>({ baseUrl: MATCHBOOK_BASE_URL ?? "" });
client.use({
  async onRequest({ request }) {
    const { pathname, search } = new URL(request.url);
    const body = Buffer.from(await request.clone().arrayBuffer());
    const content = JSON.stringify({
      version: "v1",
      signatureTimestamp: new Date().toISOString(),
      bind: {
        environment: "sandbox",
        merchantId: MATCHBOOK_MERCHANT_ID,
        method: request.method,
        path: pathname + search,
        bodySha256: createHash("sha256").update(body).digest("base64url"),
      },
    });
    const payload = Buffer.from(content).toString("base64url");
    const signature = sign("sha256", Buffer.from(payload), key).toString("base64url");
    const envelope = JSON.stringify({ merchantId: MATCHBOOK_MERCHANT_ID, payload, signature });
    request.headers.set("X-Merchant-Authorization", Buffer.from(envelope).toString("base64"));
    return request;
  },
});

const address = "0x52908400098527886E0F7030069857D2E4169EE7";
const chainId = 84532;

const campaign = await client.POST("/v1/test-helpers/campaigns", { body: { displayName: "TypeScript" } });
const campaignId = campaign.data?.id ?? "";
await client.POST("/v1/test-helpers/deposits", { body: { embeddedWalletAddress: address, chainId } });
const submitted = await client.POST("/v1/marketings/campaigns/{campaignId}/participants", {
  params: { path: { campaignId } },
  body: {
    merchantUserId: "user-typescript",
    wallets: [{ address, chain: { id: chainId } }],
    amount: { amount: "500000000", currency: "USDC", decimalPlaces: 6 },
  },
});
const participant = submitted.data !== undefined && "status" in submitted.data ? submitted.data : undefined;
const page = await client.GET("/v1/marketings/campaigns", { params: { query: { limit: 100 } } });
const missing = await client.GET("/v1/marketings/campaigns/{campaignId}", {
  params: { path: { campaignId: "00000000-0000-4000-8000-000000000000" } },
});

console.log(
  JSON.stringify({
    status: participant?.status,
    matched: participant?.amountMatched.amount,
    listed: page.data?.items.some(({ id }) => id === campaignId),
    error: missing.error?.error.code,
  }),
);
