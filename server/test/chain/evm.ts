// A real EVM node with real contracts. Blocks are mined only when a test says so, so that no test depends on luck.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, numberToHex } from "viem";
import { BASE } from "../harness/campaigns.ts";

const require = createRequire(import.meta.url);

interface Contract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>;
}

function compile(): Record<"Token" | "Batch", Contract> {
  const input = {
    language: "Solidity",
    sources: { "token.sol": { content: readFileSync(new URL("token.sol", import.meta.url), "utf8") } },
    settings: { optimizer: { enabled: true }, outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } },
  };
  const { errors = [], contracts } = JSON.parse(require("solc").compile(JSON.stringify(input))) as Output;
  const failed = errors.filter(({ severity }) => severity === "error");
  if (failed.length > 0) throw new Error(failed.map(({ formattedMessage }) => formattedMessage).join("\n"));
  const read = (name: string): Contract => {
    const contract = contracts["token.sol"]?.[name];
    if (contract === undefined) throw new Error(`token.sol has no ${name}.`);
    return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
  };
  return { Token: read("Token"), Batch: read("Batch") };
}

export interface Sent {
  readonly to: string;
  readonly amount: bigint;
}

export interface Evm {
  readonly url: string;
  /** The token that campaigns pay, of which the batch contract owns everything. */
  readonly token: string;
  /** Another token, which anyone could have made. */
  readonly otherToken: string;
  rpc(method: string, ...params: unknown[]): Promise<unknown>;
  mine(blocks?: number): Promise<void>;
  /** Sends one transaction with these transfers and returns its hash. It is in no block yet. */
  pay(transfers: readonly Sent[], options?: { token?: string; nonce?: number; gasPrice?: bigint }): Promise<string>;
  nonce(): Promise<number>;
  stop(): Promise<void>;
}

/** npm has it for Linux on x64. Elsewhere install foundry, so that `anvil` is in the PATH. */
function findAnvil(): string {
  try {
    return require.resolve("@foundry-rs/anvil-linux-amd64/bin/anvil");
  } catch {
    return "anvil";
  }
}

const SUPPLY = 10n ** 30n;

export async function startEvm(): Promise<Evm> {
  const options = ["--port", "0", "--chain-id", String(BASE), "--no-mining", "--accounts", "1", "--order", "fifo"];
  const child = spawn(findAnvil(), [...options, "--gas-limit", "1000000000"], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
      const [, address] = /Listening on (127\.0\.0\.1:[0-9]+)/.exec(printed) ?? [];
      if (address !== undefined) resolve(`http://${address}`);
    });
    child.once("exit", () => reject(new Error(`The node did not start:\n${printed}`)));
  });

  async function rpc(method: string, ...params: unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }
  const mine = async (blocks = 1) => void (await rpc("anvil_mine", numberToHex(blocks)));
  const [from] = (await rpc("eth_accounts")) as string[];
  const send = async (call: object) =>
    String(await rpc("eth_sendTransaction", { from, gas: "0x1000000", gasPrice: "0x77359400", ...call }));
  const deploy = async (data: Hex) => {
    const hash = await send({ data });
    await mine();
    const receipt = (await rpc("eth_getTransactionReceipt", hash)) as { contractAddress: string };
    return receipt.contractAddress;
  };

  const { Token, Batch } = compile();
  const batch = await deploy(encodeDeployData({ ...Batch, args: [] }));
  const deployToken = () => deploy(encodeDeployData({ ...Token, args: [batch, SUPPLY] }));
  const token = await deployToken();
  const otherToken = await deployToken();
  return {
    url,
    token,
    otherToken,
    rpc,
    mine,
    nonce: async () => Number(await rpc("eth_getTransactionCount", from, "latest")),
    pay(transfers, { token: paid = token, nonce, gasPrice } = {}) {
      const args = [paid, transfers.map(({ to }) => to), transfers.map(({ amount }) => amount)];
      return send({
        to: batch,
        data: encodeFunctionData({ abi: Batch.abi, functionName: "pay", args }),
        ...(nonce === undefined ? {} : { nonce: numberToHex(nonce) }),
        ...(gasPrice === undefined ? {} : { gasPrice: numberToHex(gasPrice) }),
      });
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
}
