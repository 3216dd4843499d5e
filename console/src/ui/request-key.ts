import { dropDraft, keepDraft, readDraft } from "./drafts.ts";
import { randomKey } from "./random-key.ts";

/**
 * The Idempotency-Key of a request whose answer may get lost. The same request sent again, even after a reload, has the same
 * key. A changed request has another.
 */
export function keyOfRequest(name: string, body: object): string {
  const request = JSON.stringify(body);
  const sent = readDraft(name, { request: "", key: "" });
  if (sent.request === request) return sent.key;
  const key = randomKey();
  keepDraft(name, { request, key });
  return key;
}

/** Call this when the request was answered: the same request then means a new one. */
export function forgetRequest(name: string): void {
  dropDraft(name);
}
