import type { Static } from "typebox";
import { AppError } from "../http/errors.ts";
import { isUuid } from "../http/path-ids.ts";
import { compileValidator } from "../http/validation.ts";
import { DEPOSIT_ID_LENGTH_MAX } from "../limits.ts";
import { readEvent } from "./ingest.ts";
import type { BatchItem } from "./replay.ts";
import { IngestRequest } from "./schemas.ts";

const validate = compileValidator({ schema: IngestRequest, method: "POST", url: "", httpPart: "body" });

/** Fails at the first item that is no event. */
export function checkBatch(body: unknown): Static<typeof IngestRequest> {
  const { error } = validate(body) as { error?: Error };
  if (error !== undefined) throw error;
  return body as Static<typeof IngestRequest>;
}

/** One item of a partial batch. What is wrong with it is refused under its own index. */
export function readItem(payersKey: Buffer, item: unknown, index: number): BatchItem {
  try {
    const { deposits } = checkBatch({ deposits: [item] });
    const [event] = deposits as [(typeof deposits)[number]];
    return readEvent(payersKey, event, "deposits[0].");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = error.message.replace("deposits[0]", `deposits[${index}]`);
    return { id: idOf(item), merchantId: merchantIdOf(item), refusal: { code: error.code, message } };
  }
}

function merchantIdOf(item: unknown): string | null {
  const { merchantId } = (item ?? {}) as { merchantId?: unknown };
  return typeof merchantId === "string" && isUuid(merchantId) ? merchantId.toLowerCase() : null;
}

function idOf(item: unknown): string | null {
  const { id } = (item ?? {}) as { id?: unknown };
  return typeof id === "string" && id.length <= DEPOSIT_ID_LENGTH_MAX && /^[!-~]+$/.test(id) ? id : null;
}
