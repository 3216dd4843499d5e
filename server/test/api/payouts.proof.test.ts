// A node may be broken or hostile: no answer of it confirms what it should not, or stops the service. server/test/chain has the
// tests against a real node.
import { randomUUID } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createActive, newAddress, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const KEY = "very-secret-key";
const BLOCK = `0x${"b1".repeat(32)}`;
const OTHER_BLOCK = `0x${"b2".repeat(32)}`;
const wordOf = (digits: string) => `0x${digits.toLowerCase().padStart(64, "0")}`;

interface Call {
  readonly method: string;
  readonly params: readonly string[];
}
type Behaviour = (call: Call, response: ServerResponse) => unknown;

let node: Server;
let elsewhere: Server;
let strayCalls = 0;
let behaviour: Behaviour;
let service: Service;
let merchant: Merchant;
let campaignId: string;
let wallets: string[];
let wallet: string;

const listen = (server: Server) =>
  new Promise<string>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );
let elsewhereUrl: string;

beforeAll(async () => {
  node = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const call = JSON.parse(body) as Call & { id: number };
      const result = behaviour(call, response);
      if (result === undefined) return;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, result }));
    });
  });
  elsewhere = createServer((_request, response) => {
    strayCalls++;
    response.end("{}");
  });
  elsewhereUrl = await listen(elsewhere);
  const url = await listen(node);
  behaviour = honest();
  service = await startService({
    variables: { CHAIN_RPC_URLS: `8453=${url}/v2/${KEY}`, CHAIN_CONFIRMATIONS: "2" },
  });
  merchant = await registerMerchant(service);
  campaignId = (await createActive(service, merchant.id)).id;
  wallets = Array.from({ length: 25 }, newAddress);
  await qualify(service, merchant.id, wallets);
});
afterAll(async () => {
  await service.close();
  for (const server of [node, elsewhere]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
beforeEach(async () => {
  // Nothing that an earlier test left is looked at, and the job has forgotten why it failed then.
  behaviour = honest();
  await service.db.query("update chain_transactions set next_look_date = null");
  await expect
    .poll(
      async () => {
        await hurry();
        return service.db.query("select from outbox where kind = 'chain' and last_error is null and not under_way");
      },
      { interval: 10 },
    )
    .toHaveLength(1);
});

/** A node on which the transaction paid the wallet. */
function honest(
  change: { chainId?: string; head?: string; receipt?: object; blockHash?: string | null } = {},
): Behaviour {
  const { chainId = "0x2105", head = "0x20", receipt = {}, blockHash = BLOCK } = change;
  return ({ method, params: [hash] }) => {
    switch (method) {
      case "eth_chainId":
        return chainId;
      case "eth_blockNumber":
        return head;
      case "eth_getBlockByNumber":
        return blockHash === null ? null : { hash: blockHash };
      case "eth_getTransactionReceipt":
        return { ...receiptOf(hash ?? ""), ...receipt };
      default:
        return null;
    }
  };
}

const receiptOf = (transactionHash: string) => ({
  transactionHash,
  blockHash: BLOCK,
  blockNumber: "0x10",
  status: "0x1",
  logs: [
    {
      address: TOKEN,
      topics: [TRANSFER, wordOf("1"), wordOf(wallet.slice(2))],
      data: wordOf((1_000).toString(16)),
      logIndex: "0x0",
      transactionHash,
      blockHash: BLOCK,
    },
  ],
});

/** A payout that names a new transaction. */
async function submitted(): Promise<{ participantId: string; payoutId: string; hash: string }> {
  wallet = wallets.pop() ?? "";
  const { body } = await submit(merchant, campaignId, submission(`user of ${wallet}`, [wallet], 500));
  const created = await service.operator(`/participants/${body.id}/payouts`, {
    body: { amount: usdc(1_000) },
    headers: { "idempotency-key": randomUUID() },
  });
  const hash = `0x${(randomUUID() + randomUUID()).replaceAll("-", "")}`;
  const status = { status: "SUBMITTED", transactionHash: hash };
  await service.operator(`/payouts/${created.body.id}/status`, { body: status });
  return { participantId: body.id, payoutId: created.body.id, hash };
}
const payoutOf = async (participantId: string) =>
  (await service.operator(`/campaigns/${campaignId}/participants?id=${participantId}`)).body.payouts[0];
const hurry = () =>
  service.db.query("update outbox set next_attempt_date = now() where kind = 'chain' and not under_way");

/** Waits until the job has failed for a reason of this form. */
async function failsWith(reason: RegExp): Promise<void> {
  await expect
    .poll(
      async () => {
        await hurry();
        const [job] = await service.db.query<{ error: string | null }>(
          "select last_error as error from outbox where kind = 'chain'",
        );
        return job?.error ?? "";
      },
      { interval: 30, timeout: 15_000 },
    )
    .toMatch(reason);
}

test("an honest node proves the payout", async () => {
  const { participantId } = await submitted();
  await expect
    .poll(async () => {
      await hurry();
      return payoutOf(participantId);
    })
    .toMatchObject({ status: "CONFIRMED", proof: { status: "PROVEN", confirmations: 17 } });
});

/** Waits for the proof of the participant's payout. */
async function becomes(participantId: string, expected: object): Promise<void> {
  await expect
    .poll(async () => {
      await hurry();
      return payoutOf(participantId);
    })
    .toMatchObject(expected);
}

describe("a person's word", () => {
  test("for a payout of another transaction than the one that was looked up makes it be looked up again", async () => {
    behaviour = honest({ receipt: { logs: [] } });
    const { participantId, payoutId } = await submitted();
    await becomes(participantId, { status: "SUBMITTED", proof: { status: "MISMATCH" } });
    behaviour = honest();
    const transactionHash = `0x${(randomUUID() + randomUUID()).replaceAll("-", "")}`;
    await service.operator(`/payouts/${payoutId}/status`, { body: { status: "CONFIRMED", transactionHash } });
    await becomes(participantId, { status: "CONFIRMED", proof: { status: "PROVEN" } });
  });

  test("that a transfer paid a second payout is shown as a mismatch", async () => {
    const first = await submitted();
    await becomes(first.participantId, { status: "CONFIRMED", proof: { status: "PROVEN" } });
    behaviour = honest({ receipt: { logs: [] } });
    const paid = wallet;
    const second = await submitted();
    await becomes(second.participantId, { proof: { status: "MISMATCH" } });
    wallet = paid;
    behaviour = honest();
    const word = { status: "CONFIRMED", transactionHash: first.hash };
    await service.operator(`/payouts/${second.payoutId}/status`, { body: word });
    await becomes(second.participantId, { status: "CONFIRMED", proof: { status: "MISMATCH" } });
  });

  test("that a row failed, which one of the run's transactions paid, is shown as a mismatch", async () => {
    wallet = wallets.pop() ?? "";
    const { body } = await submit(merchant, campaignId, submission(`user of ${wallet}`, [wallet], 500));
    behaviour = ({ method }) => (method === "eth_chainId" ? "0x2105" : method === "eth_blockNumber" ? "0x20" : null);
    const { id } = (
      await service.operator("/payout-runs", {
        body: { campaignId, participantIds: [body.id] },
        headers: { "idempotency-key": randomUUID() },
      })
    ).body;
    const act = (verb: string, request: object) => service.operator(`/payout-runs/${id}/${verb}`, { body: request });
    await act("approve", {});
    await act("export", { format: "csv" });
    const transactionHashes = [1, 2].map(() => `0x${(randomUUID() + randomUUID()).replaceAll("-", "")}`);
    expect((await act("submit", { transactionHashes })).status).toBe(200);
    const [row] = (await service.operator(`/payout-runs/${id}/payouts`)).body.items;
    const results = [{ payoutId: row.id, status: "FAILED", reason: "It looked lost." }];
    expect((await act("results", { results })).status).toBe(200);
    behaviour = honest();
    await service.db.query("update chain_transactions set next_look_date = now() where next_look_date is not null");
    await becomes(body.id, { status: "FAILED", proof: { status: "MISMATCH" } });
  });
});

const HOSTILE: [string, () => Behaviour, RegExp][] = [
  [
    "is of another chain",
    () => honest({ chainId: "0x1" }),
    /^The node that CHAIN_RPC_URLS names for chain 8453 is of another chain\.$/,
  ],
  ["answers an error page", () => (_call, response) => void response.writeHead(502).end("<html>"), /answered 502\.$/],
  ["answers no JSON", () => (_call, response) => void response.end("<html>"), /gave no answer that can be read\.$/],
  ["answers null", () => (_call, response) => void response.end("null"), /gave no answer that can be read\.$/],
  [
    "answers with neither result nor error",
    () => (_call, response) => void response.end("{}"),
    /gave no answer to eth_/,
  ],
  [
    "answers with an error",
    () => (_call, response) => void response.end(JSON.stringify({ error: { code: -32000, message: KEY } })),
    /refused eth_/,
  ],
  [
    "redirects to another host",
    () => (_call, response) => void response.writeHead(307, { location: elsewhereUrl }).end(),
    /gave no answer that can be read\.$/,
  ],
  [
    "asks to come back in a year",
    () => (_call, response) => void response.writeHead(429, { "retry-after": "31536000" }).end(),
    /answered 429\.$/,
  ],
  [
    "closes the connection",
    () => (_call, response) => void response.destroy(),
    /could not be reached \(UND_ERR_SOCKET\)\.$/,
  ],
  [
    "answers without end",
    () => (_call, response) => {
      const chunk = Buffer.alloc(1_024 * 1_024, " ");
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", write);
      write();
    },
    /gave an answer that is too large\.$/,
  ],
  [
    "answers about another transaction",
    () => honest({ receipt: { transactionHash: BLOCK } }),
    /is about another transaction\.$/,
  ],
  ["has numbers of another form", () => honest({ receipt: { blockNumber: 16 } }), /has a field that cannot be read\.$/],
  ["lists events that are no list", () => honest({ receipt: { logs: { length: 1e9 } } }), /has no list\.$/],
];

describe("a node that", () => {
  test.each(HOSTILE)("%s confirms nothing, is shown, and its address is not", async (_name, behave, reason) => {
    behaviour = behave();
    const { participantId } = await submitted();
    await failsWith(reason);
    expect((await payoutOf(participantId)).status).toBe("SUBMITTED");
    expect((await service.operator("/overview")).status).toBe(200);
    expect(service.logged()).not.toContain(KEY);
    expect(JSON.stringify((await service.operator("/overview")).body)).not.toContain(KEY);
    expect(strayCalls).toBe(0);
  });

  test.each([
    ["knows another block of that number", { blockHash: OTHER_BLOCK }, 17],
    ["does not have the block", { blockHash: null }, 17],
    ["is behind the block", { head: "0x0" }, 0],
  ])("%s: the payout waits", async (_name, change, confirmations) => {
    behaviour = honest(change);
    const { participantId, hash } = await submitted();
    const looks = async () => {
      const [row] = await service.db.query<{ block: string | null }>(
        "select block_hash as block from chain_transactions where hash = $1",
        [hash],
      );
      return row?.block;
    };
    await expect
      .poll(async () => {
        await hurry();
        return looks();
      })
      .toBe(BLOCK);
    expect(await payoutOf(participantId)).toMatchObject({
      status: "SUBMITTED",
      proof: { status: "PENDING", found: null, confirmations },
    });
  });
});

describe("POST /operator/v1/payout-runs/{runId}/submit with several hashes", () => {
  test("400 names the hash that has a wrong form, and nothing is stored", async () => {
    const wallet = wallets.pop() ?? "";
    await submit(merchant, campaignId, submission("owed", [wallet], 500));
    const run = await service.operator("/payout-runs", {
      body: { campaignId },
      headers: { "idempotency-key": randomUUID() },
    });
    const act = (verb: string, body: object) => service.operator(`/payout-runs/${run.body.id}/${verb}`, { body });
    await act("approve", {});
    await act("export", { format: "csv" });
    const answer = await act("submit", { transactionHashes: [BLOCK, "0x12"] });
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain("transactionHashes[1]");
    expect((await service.operator(`/payout-runs/${run.body.id}`)).body.status).toBe("EXPORTED");
  });

  test("409 says what to do when every payout names its transaction already, and the same hash in capitals is no other", async () => {
    behaviour = ({ method }) => (method === "eth_chainId" ? "0x2105" : method === "eth_blockNumber" ? "0x20" : null);
    wallet = wallets.pop() ?? "";
    const { body } = await submit(merchant, campaignId, submission(`user of ${wallet}`, [wallet], 500));
    const run = await service.operator("/payout-runs", {
      body: { campaignId, participantIds: [body.id] },
      headers: { "idempotency-key": randomUUID() },
    });
    const act = (verb: string, request: object) =>
      service.operator(`/payout-runs/${run.body.id}/${verb}`, { body: request });
    await act("approve", {});
    await act("export", { format: "csv" });
    const [first, second] = [`0x${"ab".repeat(32)}`, `0x${"cd".repeat(32)}`];
    expect((await act("submit", { transactionHashes: [first] })).status).toBe(200);
    expect((await act("submit", { transactionHashes: [`0x${"AB".repeat(32)}`] })).status).toBe(200);
    const answer = await act("submit", { transactionHashes: [first, second] });
    expect([answer.status, answer.body.error.code]).toEqual([409, "PAYOUT_RUN_TRANSITION_INVALID"]);
    expect(answer.body.error.message).toContain("Import the result");
    expect(await service.db.query("select from payout_run_transactions where run_id = $1", [run.body.id])).toEqual([]);
  });
});
