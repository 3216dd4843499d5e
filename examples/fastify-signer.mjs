// A signer endpoint on Fastify. Your pages call it to get a signed payment link for the user who is logged in.
//
//   MATCHBOOK_MERCHANT_ID=… MATCHBOOK_KEY_FILE=merchant.pem node fastify-signer.mjs

import { readFileSync } from "node:fs";
import { fastifySigner } from "@matchbook/sdk/fastify";
import { fastify } from "fastify";

const { MATCHBOOK_MERCHANT_ID = "", MATCHBOOK_KEY_FILE = "", PORT = "3000" } = process.env;

// Your own session store and user table. A user may only ever pay into the wallet that you keep for that user, and no more
// than you would ask that user for.
const sessions = new Map([
  ["session-of-ann", { wallet: "0x52908400098527886E0F7030069857D2E4169EE7", depositLimit: 1_000 }],
]);

const app = fastify();
app.post(
  "/sign",
  fastifySigner({
    merchantId: MATCHBOOK_MERCHANT_ID,
    privateKey: readFileSync(MATCHBOOK_KEY_FILE, "utf8"),
    chains: [8453],
    tokens: ["USDC"],
    confirmDestination(request, { address, amount }) {
      const session = sessions.get(request.headers.authorization?.replace(/^Bearer /, "") ?? "");
      if (session === undefined || amount > session.depositLimit) return false;
      return session.wallet.toLowerCase() === address.toLowerCase();
    },
  }),
);

const url = await app.listen({ host: "127.0.0.1", port: Number(PORT) });
console.log(`The signer listens on ${url}/sign`);
