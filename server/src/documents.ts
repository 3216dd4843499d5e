import { createRequire } from "node:module";
import { type DocumentInfo, SIGNING_PATH } from "./http/openapi.ts";

export const VERSION: string = createRequire(import.meta.url)("../package.json").version;

/** What merchants read at /docs. */
export const publicDocument: DocumentInfo = {
  title: "Matchbook API",
  version: VERSION,
  server: "The production address that serves this document.",
  description: [
    "Reward campaigns, deposit reporting, merchant registration and origin whitelisting for merchants that take",
    "stablecoin deposits through a hosted deposit flow.",
    "",
    "## Sign every request",
    "",
    "Send the header `X-Merchant-Authorization` with every call but the two of Registration.",
    `**[How to sign, with code in TypeScript, Python, Java, Go and shell](${SIGNING_PATH})**. In short:`,
    "",
    '1. Write the payload `{"version":"v1","signatureTimestamp":"2026-01-15T12:00:00.000Z"}` with the present time, and encode',
    "   it as base64url.",
    "2. Sign that text with your ECDSA P-256 private key and SHA-256, and encode the signature as base64url.",
    "3. Encode the JSON `{ merchantId, payload, signature }` as base64. That is the header. It is good for 15 minutes.",
    "",
    "## Answers",
    "",
    "Every error has the shape `{ error: { code, message } }`, and every answer an `X-Request-Id`.",
    "Production and sandbox serve the same paths and share nothing.",
  ].join("\n"),
  tags: [
    { name: "Registration", description: "Apply for a merchant account; read a merchant's public key." },
    { name: "Campaigns", description: "Read reward campaigns and qualified wallets; submit your users' trade profit." },
    { name: "Reporting", description: "Deposits made into your platform, and the users behind them." },
    { name: "Domains", description: "Whitelist the web origins where the deposit flow is embedded." },
  ],
  securitySchemes: {
    merchantAuthorization: {
      type: "apiKey",
      in: "header",
      name: "X-Merchant-Authorization",
      description: `base64 of the JSON \`{ merchantId, payload, signature }\`. [How to build it](${SIGNING_PATH}), in five languages.`,
    },
  },
};

/** The same plus the sandbox's test helpers. */
export const sandboxDocument: DocumentInfo = {
  ...publicDocument,
  server: "The sandbox address that serves this document.",
  tags: [
    ...publicDocument.tags,
    { name: "Test helpers", description: "Make deposits and campaigns yourself. Only the sandbox has these." },
  ],
};

/** What operators read at /docs on their own listener. */
export const operatorDocument: DocumentInfo = {
  title: "Matchbook operator API",
  version: VERSION,
  server: "The operator address that serves this document.",
  description: [
    "For the people who run the platform and for the hosted deposit flow. Calls carry `Authorization: Bearer <token>`, those of",
    "the console its session's cookie; `npx @matchbook/server tokens create` makes tokens. This listener is never exposed to the internet.",
  ].join("\n"),
  tags: [
    {
      name: "Overview",
      description: "What needs an operator; deposits and rewards by day; jobs that keep failing; search by id.",
    },
    { name: "Applications", description: "Review merchants that apply." },
    { name: "Merchants", description: "Read, rename, suspend and reinstate merchants." },
    { name: "Domains", description: "List and remove a merchant's domains; check an origin." },
    { name: "Campaigns", description: "Create, edit and run campaigns; read their participants and journal." },
    { name: "Payouts", description: "Record disbursements made elsewhere; set receivers; report what is owed." },
    { name: "Payout runs", description: "Pay many participants: reserve, approve, export, submit, settle." },
    { name: "Approvals", description: "With APPROVALS=on: changes that wait for a second operator." },
    { name: "Deposits", description: "Report and list deposits." },
    { name: "Invariants", description: "Recompute the money and rollup rules from the base tables." },
    { name: "Sessions", description: "How the console signs in: a token is exchanged for a cookie." },
    { name: "Tokens", description: "Operator tokens and their roles." },
    { name: "Audit log", description: "Every operator change, chained so that tampering shows." },
    { name: "Health", description: "For load balancers and monitoring." },
  ],
  securitySchemes: {
    operatorToken: { type: "http", scheme: "bearer" },
    operatorSession: {
      type: "apiKey",
      in: "cookie",
      name: "matchbook-production-session",
      description:
        "The console's session; in the sandbox the cookie is `matchbook-sandbox-session`. A change must also have the " +
        "console's own `Origin`.",
    },
  },
};
