import { createHash } from "node:crypto";
import { Type } from "typebox";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "../limits.ts";
import { visibleAscii } from "./fields.ts";

const IdempotencyKey = Type.String({
  ...visibleAscii(IDEMPOTENCY_KEY_LENGTH_MAX),
  description:
    "Fresh for each new thing, the same for each repeat of its request. A repeat is answered 200 with what the first " +
    "one made, as it is now; another request under the same key is refused.",
  examples: ["4b7a0f52-6c1e-4c55-9f0e-2d9d3c8a1b77"],
});

/** The header of every POST that would otherwise make something new each time. */
export const IdempotencyHeaders = Type.Object({ "idempotency-key": Type.Optional(IdempotencyKey) });

/** Where a second one would pay twice, a request without the header is refused. */
export const RequiredIdempotencyHeaders = Type.Object({ "idempotency-key": IdempotencyKey });

/**
 * The id of what is made under a key: a repeated request finds it by that id. The scope says whose key it is, so that no
 * caller can choose another's id.
 */
export function idOfKey(scope: string, key: string): string {
  const digest = createHash("sha256").update(`${scope}/${key}`).digest("hex");
  // The bits of a version 8 UUID, which is for custom UUIDs.
  const variant = ((Number.parseInt(digest.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
