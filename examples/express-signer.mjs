// A signer endpoint on Express. Your pages call it to get a signed payment link for the user who is logged in.
//
//   MATCHBOOK_MERCHANT_ID=… MATCHBOOK_KEY_FILE=merchant.pem node express-signer.mjs

import { readFileSync } from "node:fs";
import { expressSigner } from "@matchbook/sdk/express";
import express from "express";

const { MATCHBOOK_MERCHANT_ID = "", MATCHBOOK_KEY_FILE = "", PORT = "3000" } = process.env;

// Your own session store and user table. A user may only ever pay into the wallet that you keep for that user, and no more
// than you would ask that user for.
const sessions = new Map([
  ["session-of-ann", { wallet: "0x52908400098527886E0F7030069857D2E4169EE7", depositLimit: 1_000 }],
]);

const app = express();
app.disable("x-powered-by");
app.post(
  "/sign",
  expressSigner({
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

const server = app.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`The signer listens on http://127.0.0.1:${server.address().port}/sign`);
});
