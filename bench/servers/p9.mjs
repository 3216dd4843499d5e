// Two servers for P9, each in a process of its own: a bare Fastify route, and the whole service.

import { createPublicKey, verify } from "node:crypto";
import { chainOf } from "@matchbook/addresses/chains";
import Fastify from "fastify";
import pg from "pg";
import { openEnvironment } from "../../server/dist/app.js";
import { readConfig } from "../../server/dist/config.js";
import { createLog } from "../../server/dist/log.js";

/** What a route without any helper makes of the rows. */
const answers = {
  campaign: ([row]) => ({
    id: row.id,
    type: row.type,
    status: row.status,
    displayName: row.displayName,
    startDate: row.startDate,
    endDate: row.endDate,
    perTradeProfitMatch: {
      matchMultiplier: Number(row.matchMultiplier),
      maxAmountPerUser: tokenAmount(row.maxAmountPerUser, row),
      maxAmountTotal: tokenAmount(row.maxAmountTotal, row),
      currentAmountTotal: tokenAmount(row.committed, row),
      payoutChainId: Number(row.payoutChainId),
      payoutTokenAddress: row.payoutTokenAddress,
    },
    createDate: row.createDate,
    updateDate: row.updateDate,
  }),

  deposits: (rows, { nextCursor }) => ({
    items: rows.slice(0, -1).map((row) => ({
      id: row.id,
      userId: row.userId,
      status: row.status,
      amount: { value: (Number(row.amountMicros) / 1e6).toFixed(2), currency: "USD" },
      chain: { chainId: Number(row.chainId), name: chainOf(Number(row.chainId)).name },
      token: { symbol: row.tokenSymbol, address: row.tokenAddress },
      embeddedWalletAddress: row.walletAddress,
      createDate: row.createDate,
      updateDate: row.updateDate,
    })),
    nextCursor,
  }),
};

function tokenAmount(amount, { currency, decimalPlaces }) {
  return { amount, currency, decimalPlaces };
}

const servers = {
  // Verifies the same signature, runs the same statement through the driver as it comes, and answers the same bytes. The
  // cursor is known beforehand.
  async bare({ connection, connections, publicKeyPem, reads }) {
    const key = createPublicKey(publicKeyPem);
    const pool = new pg.Pool({ ...connection, max: connections });
    const app = Fastify();
    for (const { path, text, values, answer, body } of reads) {
      const known = JSON.parse(body);
      app.get(path, async (request, reply) => {
        const envelope = JSON.parse(Buffer.from(request.headers["x-merchant-authorization"], "base64").toString());
        const signature = Buffer.from(envelope.signature, "base64url");
        const signed = verify("sha256", Buffer.from(envelope.payload), { key, dsaEncoding: "der" }, signature);
        if (!signed) return reply.code(422).send();
        const { rows } = await pool.query({ name: path, text, values });
        return answers[answer](rows, known);
      });
    }
    await app.listen({ host: "127.0.0.1", port: 0 });
    return app.server.address().port;
  },

  // The same number of connections serves signed requests. Two more, in pools of their own, are for operators and for
  // unauthenticated calls.
  async matchbook({ connection, connections }) {
    const config = readConfig({ ENVIRONMENTS: "production" }, false);
    const { publicListener } = await openEnvironment(
      {
        config,
        environment: config.environments[0],
        secrets: {
          secret: "bench-secret-0123456789abcdef0123456789",
          operatorToken: "bench-operator-token-0123456789",
        },
        connection,
        poolSize: connections + 2,
      },
      { log: createLog("info") },
    );
    await publicListener.listen({ host: "127.0.0.1", port: 0 });
    return publicListener.server.address().port;
  },
};

process.on("message", async (message) => {
  if (message.kind === "cpu") process.send(process.cpuUsage());
  else process.send(await servers[message.kind](message));
});
