import { readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import swagger from "@fastify/swagger";
import { type TSchema, Type } from "typebox";
import type { Listener } from "./listener.ts";

export interface DocumentInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** What the server of this document is, in words. */
  readonly server: string;
  readonly tags: readonly { name: string; description: string }[];
  readonly securitySchemes: Record<string, object>;
}

/** The page to read the contract on. */
export const REFERENCE_PATH = "/docs";
/** The page that says how requests are signed. The contract refers to it. */
export const SIGNING_PATH = "/docs/authentication";

/** Serves the contract made from the routes' own schemas, and a page to read it on. To be registered before all routes. */
export async function serveOpenApi(app: Listener, info: DocumentInfo): Promise<void> {
  const optionalBodies = gatherOptionalBodies(app);
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: info.title,
        description: info.description,
        version: info.version,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      // Each listener serves its own document, so the address of the document is the address of the API.
      servers: [{ url: "/", description: info.server }],
      tags: [...info.tags],
      components: { securitySchemes: info.securitySchemes as never },
    },
    convertConstToEnum: false,
    transformObject: (document) =>
      finishDocument("openapiObject" in document ? document.openapiObject : {}, optionalBodies) as never,
  });
  let rendered: string | undefined;
  app.get("/openapi.json", { schema: { hide: true } }, async (_request, reply) => {
    rendered ??= renderDocument(app);
    return reply.type("application/json; charset=utf-8").send(rendered);
  });
  servePage(app, REFERENCE_PATH, info.title, "/openapi.json");
  app.get("/docs/reference.js", { schema: { hide: true } }, async (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").header("cache-control", "public, max-age=86400").send(script),
  );
}

export function renderDocument(app: Listener): string {
  return `${JSON.stringify(app.swagger(), null, 2)}\n`;
}

/** Which operations may come without a body, as "POST /path/{id}". @fastify/swagger calls every body required. */
function gatherOptionalBodies(app: Listener): ReadonlySet<string> {
  const operations = new Set<string>();
  app.addHook("onRoute", ({ method, url, schema }) => {
    if (schema?.body === undefined || !Type.IsOptional(schema.body as TSchema)) return;
    operations.add(`${method} ${url.replace(/:(\w+)/g, "{$1}")}`);
  });
  return operations;
}

type Json = null | boolean | number | string | Json[] | JsonObject;
type JsonObject = { [name: string]: Json };
interface Operation {
  security?: object[];
  requestBody?: { required: boolean };
  responses: Record<string, JsonObject>;
}

/** Makes the document as a person would write it: what several operations have in common is named and stated once. */
function finishDocument(document: object, optionalBodies: ReadonlySet<string>): object {
  const { info, components, paths, ...rest } = JSON.parse(JSON.stringify(document));
  const schemas = createShelf("schemas");
  const responses = createShelf("responses");
  for (const [path, operations] of Object.entries<Record<string, Operation>>(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      // An empty list says that anyone may call; a missing one says nothing.
      operation.security ??= [];
      if (operation.requestBody !== undefined && optionalBodies.has(`${method.toUpperCase()} ${path}`)) {
        operation.requestBody.required = false;
      }
      for (const [status, response] of Object.entries(operation.responses)) {
        const name = responseName(response);
        const described = { ...response, description: describeResponse(status, response) };
        const shared = shareSchemas(described, schemas) as JsonObject;
        operation.responses[status] = name === null ? shared : responses.put(name, shared);
      }
    }
  }
  return {
    openapi: rest.openapi,
    info,
    ...rest,
    paths: shareSchemas(paths, schemas),
    components: { ...components, schemas: schemas.sorted(), responses: responses.sorted() },
  };
}

function responseName({ content }: { content?: { "application/json"?: { schema?: JsonObject } } }): string | null {
  const name = content?.["application/json"]?.schema?.["x-response-name"];
  return typeof name === "string" ? name : null;
}

function describeResponse(status: string, { description = "" }: JsonObject): Json {
  return description === "Default Response" ? (STATUS_CODES[status] ?? "") : description;
}

type Shelf = ReturnType<typeof createShelf>;

/** The components of one kind. Two different things under one name would make the document lie, so they stop the start. */
function createShelf(kind: string) {
  const members = new Map<string, JsonObject>();
  // A parameter carries the description and the example of its schema itself.
  const essence = ({ description: _text, example: _one, examples: _all, ...member }: JsonObject) =>
    JSON.stringify(member);
  return {
    put(name: string, member: JsonObject): JsonObject {
      const before = members.get(name);
      if (before !== undefined && essence(before) !== essence(member)) {
        throw new Error(`Two different ${kind} of the contract are called ${name}.`);
      }
      if (before === undefined || Object.keys(before).length < Object.keys(member).length) members.set(name, member);
      return { $ref: `#/components/${kind}/${name}` };
    },
    sorted: () => Object.fromEntries([...members].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** A schema with a title is shown once, under that name, and referred to. */
function shareSchemas(value: Json, schemas: Shelf): Json {
  if (Array.isArray(value)) return value.map((item) => shareSchemas(item, schemas));
  if (typeof value !== "object" || value === null) return value;
  const { "x-rule": _rule, "x-response-name": _name, ...members } = value;
  const copy = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, shareSchemas(member, schemas)]),
  );
  const { title } = copy;
  return typeof title === "string" && copy.type !== undefined ? schemas.put(title, copy) : copy;
}

const SCALAR_SCRIPT = join(
  dirname(createRequire(import.meta.url).resolve("@scalar/fastify-api-reference")),
  "js/standalone.js",
);

// The page loads nothing but the contract and one script of our own: it works without the internet.
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// Read at the start and not when asked for: a process that gave up root may be unable to open it. All answers share these bytes,
// so clients that do not read their answer hold no copies.
const script = readFileSync(SCALAR_SCRIPT);

/** A page that shows the document at this address. */
function servePage(app: Listener, path: string, title: string, document: string, options: object = {}): void {
  const configuration = {
    url: document,
    withDefaultFonts: false,
    hideClientButton: true,
    telemetry: false,
    showDeveloperTools: "never",
    metaData: { title },
    ...options,
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
  app.get(path, { schema: { hide: true } }, async (_request, reply) =>
    reply.type("text/html; charset=utf-8").header("content-security-policy", CONTENT_SECURITY_POLICY).send(page),
  );
}

/**
 * Serves a chapter of docs/ as a page. It is the description of a document without operations, so that the script that shows
 * the contract shows it, too, and no second renderer is needed.
 */
export function serveChapter(app: Listener, path: string, markdown: string): void {
  const [heading = "", ...lines] = markdown.split("\n");
  const title = heading.replace(/^# /, "").replaceAll("`", "");
  const description = [`[Back to the API reference](${REFERENCE_PATH})`, ...lines]
    .join("\n")
    // The page puts the headings of a description below this name.
    .replaceAll("](#", "](#description/")
    // Files of the repository are not served here, so their names stand without a link.
    .replace(/\[([^\]]+)\]\((?!https?:|#|\/)[^)]*\)/g, "$1");
  const document = JSON.stringify({ openapi: "3.1.0", info: { title, version: "v1", description }, paths: {} });
  servePage(app, path, title, `${path}.json`, { documentDownloadType: "none", hiddenClients: true });
  app.get(`${path}.json`, { schema: { hide: true } }, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(document),
  );
}
