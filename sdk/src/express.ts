import { prepareSigner, readText, type SignerOptions } from "./signer.ts";

// Express is not imported: its requests and responses are Node's, and this is all of them that is needed.

export interface IncomingRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** Set by `express.json()` where that ran before. */
  body?: unknown;
}

export interface OutgoingResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/**
 * The signer endpoint for Express: `app.post("/sign", expressSigner({ … }))`. Works with and without `express.json()`, and
 * as a plain `node:http` handler. Type the callback's first parameter as your Express `Request`.
 */
export function expressSigner<Incoming extends IncomingRequest = IncomingRequest>(options: SignerOptions<Incoming>) {
  const answer = prepareSigner(options);
  return async (
    request: Incoming,
    response: OutgoingResponse,
    next?: ((error?: unknown) => void) | undefined,
  ): Promise<void> => {
    try {
      const contentType = request.headers["content-type"];
      const { status, headers, body } = await answer(request, {
        method: request.method ?? "",
        contentType: typeof contentType === "string" ? contentType : null,
        body: request.body === undefined ? await readText(request) : request.body,
      });
      response.statusCode = status;
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.end(JSON.stringify(body));
    } catch (error) {
      if (next === undefined) throw error;
      next(error);
    }
  };
}
