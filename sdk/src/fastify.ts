import { prepareSigner, type SignerOptions } from "./signer.ts";

// Fastify is not imported: this is all of its requests and replies that is needed.

export interface IncomingRequest {
  method: string;
  headers: Record<string, string | string[] | undefined>;
  /** What Fastify's own JSON parser made of it. */
  body: unknown;
}

export interface OutgoingReply {
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(text: string): unknown;
}

/** The signer endpoint for Fastify: `app.post("/sign", fastifySigner({ … }))`. */
export function fastifySigner<Incoming extends IncomingRequest = IncomingRequest>(options: SignerOptions<Incoming>) {
  const answer = prepareSigner(options);
  return async (request: Incoming, reply: OutgoingReply): Promise<unknown> => {
    const contentType = request.headers["content-type"];
    const { status, headers, body } = await answer(request, {
      method: request.method,
      contentType: typeof contentType === "string" ? contentType : null,
      body: request.body,
    });
    reply.code(status);
    for (const [name, value] of Object.entries(headers)) reply.header(name, value);
    return reply.send(JSON.stringify(body));
  };
}
