import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { fail } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";

const BUILD = fileURLToPath(new URL("../../../console/dist", import.meta.url));
const PAGE = "index.html";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const NONCE_BYTES = 16;

/** The operators' web console: a page and the files Vite built for it, read once and served from memory. */
export async function consoleRoutes(app: Listener, { environment }: { environment: string }): Promise<void> {
  const build = readBuild();
  const page = build.get(PAGE)?.toString("utf8").replace('content="production"', `content="${environment}"`);

  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
  });

  for (const [name, content] of build) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    // Vite puts a hash of its content into the name of every file below assets/.
    const caching = name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    // By whoever asks first: a process may never be asked for the console.
    let compressed: Buffer | undefined;
    app.get(`/console/${name}`, { schema: { hide: true } }, async (request, reply) => {
      reply.type(type).headers({ "cache-control": caching, vary: "accept-encoding" });
      if (!acceptsGzip(request)) return reply.send(content);
      compressed ??= gzipSync(content);
      return reply.header("content-encoding", "gzip").send(compressed);
    });
  }

  // Every page of the console is this one; its script reads the address.
  const answerPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (page === undefined) fail("ROUTE_NOT_FOUND", "The console has not been built. Run npm run build.");
    if (/\.\w+$/.test(request.url.split("?")[0] ?? "")) fail("ROUTE_NOT_FOUND");
    const nonce = randomBytes(NONCE_BYTES).toString("base64");
    reply
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-store")
      .header("content-security-policy", contentSecurityPolicy(nonce));
    return page.replace('content=""', `content="${nonce}"`);
  };
  app.get("/console", { schema: { hide: true } }, answerPage);
  app.get("/console/*", { schema: { hide: true } }, answerPage);
  app.get("/", { schema: { hide: true } }, async (_request, reply) => reply.redirect("/console"));
}

// Nothing but our own files; Mantine's own style elements carry the nonce.
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Empty when the console has not been built, as where only the server was installed. */
function readBuild(): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  try {
    for (const entry of readdirSync(BUILD, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) files.set(relative(BUILD, path).split(sep).join("/"), readFileSync(path));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return files;
}

const GZIP = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i;

function acceptsGzip({ headers }: FastifyRequest): boolean {
  const accepted = GZIP.exec(String(headers["accept-encoding"] ?? ""));
  return accepted !== null && Number(accepted[1] ?? 1) > 0;
}
