import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expressSigner } from "@matchbook/sdk/express";
import {
  type Command,
  connectionOptions,
  Failure,
  readArguments,
  readChainId,
  readInteger,
  requireOption,
  requirePositionals,
  UsageError,
} from "../command.ts";
import { print } from "../output.ts";
import { program } from "../program.ts";
import { readSettings, requireMerchantId, requirePrivateKey } from "../settings.ts";
import { isSameAddress, parseWallet, type WalletReading } from "../wallets.ts";

const USER_HEADER = "X-Reference-User";
const PORT_MAX = 65_535;

export const signer: Command = {
  name: "signer",
  summary: "run the reference signer of payment links on this machine",
  help: `${program} signer --chain ID… --token SYMBOL… --confirm-destination FILE [--port N]

Runs the signer endpoint that a merchant hosts, on loopback only, to try the hosted flow against. It is a reference: it
believes the header ${USER_HEADER}, where yours looks up the caller's session. Build yours with createSigner of
@matchbook/sdk; it is the same code.

It signs only for the chains and tokens given, and only for addresses that the file confirms as the user's own: a JSON
object of user ids with their addresses, such as { "user-42": ["0x52908400098527886E0F7030069857D2E4169EE7"] }. CHAIN:ADDRESS
confirms an address on one chain only. The file is read for every request.

  --chain ID                   a chain to sign for; repeat it for several
  --token SYMBOL               a token to sign for, by symbol or contract address; repeat it for several
  --confirm-destination FILE   whose address is whose
  --port N                     where to listen (8787); 0 takes a free one

Example:
  ${program} signer --chain 84532 --token USDC --confirm-destination addresses.json
  curl -s http://127.0.0.1:8787/ -H 'Content-Type: application/json' -H '${USER_HEADER}: user-42' \\
    -d '{"amount":25,"chainId":84532,"address":"0x52908400098527886E0F7030069857D2E4169EE7","token":"USDC"}'
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      ...connectionOptions,
      chain: { type: "string", multiple: true, default: [] },
      token: { type: "string", multiple: true, default: [] },
      "confirm-destination": { type: "string" },
      port: { type: "string", default: "8787" },
    });
    requirePositionals(positionals, []);
    if (values.chain.length === 0 || values.token.length === 0) {
      throw new UsageError("Give at least one --chain and one --token to sign for.");
    }
    const path = requireOption(values["confirm-destination"], "confirm-destination");
    const port = readInteger(values.port, "--port", 0, PORT_MAX);
    readAddresses(path);
    const settings = readSettings(values);
    const handle = expressSigner<IncomingMessage>({
      merchantId: requireMerchantId(settings),
      privateKey: requirePrivateKey(settings).read(),
      chains: values.chain.map((chain) => readChainId(chain)),
      tokens: values.token,
      confirmDestination: (request, { address, chainId }) => {
        const user = request.headers[USER_HEADER.toLowerCase()];
        const wallets = typeof user === "string" ? (readAddresses(path).get(user) ?? []) : [];
        return wallets.some((own) => isSameAddress(own.address, address) && (own.chainId ?? chainId) === chainId);
      },
    });
    await listen(port, handle);
  },
};

function readAddresses(path: string): Map<string, WalletReading[]> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new Failure(`${path} cannot be read as JSON.`);
  }
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const isValid = (addresses: unknown) =>
    Array.isArray(addresses) && addresses.every((address) => typeof address === "string");
  if (entries.length === 0 || !entries.every(([, addresses]) => isValid(addresses))) {
    throw new Failure(`${path} must be a JSON object of user ids, each with a list of addresses.`);
  }
  const readWallet = (text: string) => {
    const wallet = parseWallet(text);
    if (typeof wallet === "string") throw new Failure(`${path}: ${text} ${wallet}.`);
    return wallet;
  };
  return new Map((entries as [string, string[]][]).map(([user, texts]) => [user, texts.map(readWallet)]));
}

async function listen(port: number, handle: ReturnType<typeof expressSigner<IncomingMessage>>): Promise<void> {
  const server = createServer((request, response) =>
    handle(request, response, (error) => {
      process.stderr.write(`matchbook: ${(error as Error).message}\n`);
      response.writeHead(500, { "cache-control": "no-store" }).end();
    }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new Failure(`Port ${port} is taken; choose another --port.`) : error),
    );
    // Loopback only: anyone who reaches it and knows a user's id gets links signed for that user.
    server.listen(port, "127.0.0.1", resolve);
  });
  print(`The reference signer listens on http://127.0.0.1:${(server.address() as AddressInfo).port}/ until stopped.`);
  print(`It believes the header ${USER_HEADER}: never use it in production.`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
