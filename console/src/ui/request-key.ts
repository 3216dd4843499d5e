import { dropDraft, keepDraft, readDraft } from "./drafts.ts";
import { randomKey } from "./random-key.ts";

/**
 * The Idempotency-Key of a request whose answer may get lost: sent again unchanged, after a reload too, it has the key it had.
 * What is sent differently is another request.
 */
export function keyOfRequest(name: string, body: object): string {
  const request = JSON.stringify(body);
  const sent = readDraft(name, { request: "", key: "" });
  if (sent.request === request) return sent.key;
  const key = randomKey();
  keepDraft(name, { request, key });
  return key;
}

/** Once it is answered, the same request again means another one. */
export function forgetRequest(name: string): void {
  dropDraft(name);
}
