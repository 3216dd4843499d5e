// Two servers for P4, each in a process of its own: the bare minimum, and our listener with the authentication hook.

import { createPublicKey, verify } from "node:crypto";
import http from "node:http";
import { Type } from "typebox";
import { authenticateMerchant } from "../../server/dist/auth/authenticate.js";
import { createMerchantCache } from "../../server/dist/auth/merchant-cache.js";
import { takeShare } from "../../server/dist/auth/take-share.js";
import { systemClock } from "../../server/dist/clock.js";
import { createListener } from "../../server/dist/http/listener.js";
import { createMerchantShares } from "../../server/dist/http/merchant-shares.js";
import { createMetrics } from "../../server/dist/http/metrics.js";
import { createLog } from "../../server/dist/log.js";

const servers = {
  // What any implementation must do: read the envelope and verify one signature. The length is stated, as we do: without
  // it the answer would go out in chunks, which is slower.
  async bare(publicKeyPem) {
    const key = createPublicKey(publicKeyPem);
    const server = http.createServer((request, response) => {
      const envelope = JSON.parse(Buffer.from(request.headers["x-merchant-authorization"], "base64").toString());
      const signature = Buffer.from(envelope.signature, "base64url");
      const ok = verify("sha256", Buffer.from(envelope.payload), { key, dsaEncoding: "der" }, signature);
      const body = ok ? '{"ok":true}' : '{"ok":false}';
      response.writeHead(ok ? 200 : 422, { "content-type": "application/json", "content-length": body.length });
      response.end(body);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server.address().port;
  },

  // Everything a real request passes: limits, request id, figures, strict validation, the hooks, the serializer. No request
  // waits for its turn: the clients are as many as there are places, as a bare server has no limit.
  async matchbook(publicKeyPem) {
    const row = { status: "ACTIVE", publicKey: publicKeyPem, requireBoundSignatures: false, rateLimit: null };
    const metrics = createMetrics();
    const limits = { requests: 100, submissions: 100, depositBatches: 1 };
    const shares = createMerchantShares({ connections: 64, limits, metrics });
    const listener = createListener({
      name: "public",
      log: createLog("info"),
      metrics,
      trustedProxies: [],
      connectionsPerAddress: 256,
      isDraining: () => false,
    });
    listener.decorateRequest("signer", null);
    listener.decorateRequest("rateLimit", null);
    listener.register(async (scope) => {
      const merchants = createMerchantCache({ query: async () => [row] });
      scope.addHook("onRequest", authenticateMerchant({ merchants, clock: systemClock, environment: "production" }));
      scope.addHook("preHandler", takeShare(shares));
      const schema = { summary: "Nothing", response: { 200: Type.Object({ ok: Type.Boolean() }) } };
      scope.get("/", { schema }, async () => ({ ok: true }));
    });
    await listener.listen({ host: "127.0.0.1", port: 0 });
    return listener.server.address().port;
  },
};

process.on("message", async ({ kind, publicKeyPem }) => process.send(await servers[kind](publicKeyPem)));
