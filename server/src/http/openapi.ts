import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import swagger from "@fastify/swagger";
import type { Listener } from "./listener.ts";

export interface DocumentInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly tags: readonly { name: string; description: string }[];
  readonly securitySchemes: Record<string, object>;
}

/** The page to read the contract on. */
export const REFERENCE_PATH = "/docs";

/** Serves the contract made from the routes' own schemas, and a page to read it on. To be registered before all routes. */
export async function serveOpenApi(app: Listener, info: DocumentInfo): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: info.title,
        description: info.description,
        version: info.version,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      tags: [...info.tags],
      components: { securitySchemes: info.securitySchemes as never },
    },
    convertConstToEnum: false,
    transformObject: (document) => shareSchemas("openapiObject" in document ? document.openapiObject : {}) as never,
  });
  let rendered: string | undefined;
  app.get("/openapi.json", { schema: { hide: true } }, async (_request, reply) => {
    rendered ??= renderDocument(app);
    return reply.type("application/json; charset=utf-8").send(rendered);
  });
  serveReferencePage(app, info.title);
}

export function renderDocument(app: Listener): string {
  return `${JSON.stringify(app.swagger(), null, 2)}\n`;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

// A schema with a title is one of the resources people speak of: it is shown once, under that name, and referred to.
function shareSchemas(document: object): object {
  const shared: Record<string, Json> = {};
  const share = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(share);
    if (typeof value !== "object" || value === null) return value;
    const { "x-rule": _rule, ...members } = value;
    const copy = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, share(member)]));
    const { title } = copy;
    if (typeof title !== "string" || copy.type === undefined) return copy;
    shared[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  };
  // The info's own title names the document, not a schema.
  const { info, components, ...rest } = JSON.parse(JSON.stringify(document)) as Record<string, Json>;
  const body = share(rest as Json) as Record<string, Json>;
  const schemas = Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { openapi: body.openapi, info, ...body, components: { ...(components as object), schemas } };
}

const SCALAR_SCRIPT = join(
  dirname(createRequire(import.meta.url).resolve("@scalar/fastify-api-reference")),
  "js/standalone.js",
);

// The page loads nothing but the contract and one script of our own: it works without the internet.
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// All answers share these bytes, so clients that do not read their answer hold no copies.
let script: Buffer | undefined;

function serveReferencePage(app: Listener, title: string): void {
  // Read now and not when asked for: a process that gave up root may be unable to open it.
  script ??= readFileSync(SCALAR_SCRIPT);
  const configuration = {
    url: "/openapi.json",
    withDefaultFonts: false,
    hideClientButton: true,
    telemetry: false,
    showDeveloperTools: "never",
    metaData: { title },
  };
  const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head>
<body>
<script id="api-reference" data-configuration="${JSON.stringify(configuration).replaceAll('"', "&quot;")}"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;
  app.get(REFERENCE_PATH, { schema: { hide: true } }, async (_request, reply) =>
    reply.type("text/html; charset=utf-8").header("content-security-policy", CONTENT_SECURITY_POLICY).send(page),
  );
  app.get("/docs/reference.js", { schema: { hide: true } }, async (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").header("cache-control", "public, max-age=86400").send(script),
  );
}
