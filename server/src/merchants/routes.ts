import { createHash } from "node:crypto";
import { Type } from "typebox";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { findMerchant } from "./queries.ts";
import { PublicKeyAnswer } from "./schemas.ts";

/** Anyone may read an active merchant's public key. */
export async function merchantRoutes(app: Listener, { db }: { db: Queryable }): Promise<void> {
  app.get(
    "/v1/merchants/:id/public-key",
    {
      schema: {
        tags: ["Registration"],
        operationId: "getMerchantPublicKey",
        summary: "Read a merchant's public key",
        description:
          "For verifying payment links, also from a browser. Ask again before each use, with If-None-Match: a swapped " +
          "key is answered immediately.",
        params: pathIds("id"),
        response: {
          200: PublicKeyAnswer,
          304: Type.Null({ description: "The key you have is the current one." }),
        },
      },
      config: { errors: ["PUBLIC_KEY_NOT_FOUND"] },
    },
    async (request, reply) => {
      reply.header("access-control-allow-origin", "*").header("cache-control", "no-cache");
      const merchant = await findMerchant(db, uuidOr("PUBLIC_KEY_NOT_FOUND", request.params.id));
      if (merchant === null || merchant.status !== "ACTIVE") fail("PUBLIC_KEY_NOT_FOUND");
      const { merchantId, algorithm, publicKey } = merchant;
      const etag = `"${createHash("sha256").update(publicKey).digest("base64url")}"`;
      reply.header("etag", etag);
      const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
      if (known?.some((tag) => tag === etag || tag === "*")) return reply.code(304).send(null);
      return { merchantId, algorithm, publicKey };
    },
  );
}
