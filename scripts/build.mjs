// Builds what is not current. A build is current when its sources and its output are byte for byte those of the last one:
// times do not count, because archives and other tools keep them.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const SHARED = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.base.json", "scripts/build.mjs"];

const BUILDS = [
  {
    name: "server",
    sources: [...SHARED, "packages", "server", "sdk"],
    outputs: ["packages/addresses/dist", "packages/embedded-postgres/dist", "server/dist", "sdk/cjs", "sdk/dist"],
    command: () => [require.resolve("typescript/bin/tsc"), "-b"],
    cwd: root,
  },
  {
    name: "console",
    sources: [...SHARED, "packages/addresses", "console"],
    outputs: ["console/dist"],
    command: () => [join(dirname(require.resolve("vite/package.json")), "bin/vite.js"), "build", "--logLevel", "warn"],
    cwd: join(root, "console"),
  },
];

/** Resolves when everything is built; rejects when a build fails or `signal` aborts, with no process left. */
export async function build({ say = () => {}, signal } = {}) {
  const failure = new AbortController();
  const ending = AbortSignal.any(signal === undefined ? [failure.signal] : [failure.signal, signal]);
  // The first failure ends the other build, too, and is the one that counts.
  const building = BUILDS.map((one) => buildOne(one, say, ending).catch((error) => failure.abort(error)));
  const results = await Promise.all(building);
  failure.signal.throwIfAborted();
  if (!results.includes(true)) say("The server and the console are already built.");
}

/** Answers whether there was anything to build. */
async function buildOne({ name, sources, outputs, command, cwd }, say, signal) {
  const stampFile = join(root, outputs.at(-1), ".built-from");
  const stamp = readStamp(stampFile);
  const files = hashFiles(sources, /^(dist|cjs|node_modules|test)$|\.test\.tsx?$|\.md$/);
  const changed = Object.keys({ ...files, ...stamp?.files }).filter((file) => files[file] !== stamp?.files[file]);
  const isUntouched = hashOutput(outputs) === stamp?.output;
  if (isUntouched && changed.length === 0) return false;

  say(`Building the ${name} …`);
  const startedMs = performance.now();
  rmSync(stampFile, { force: true });
  const isForced = buildInfos(outputs).length > 0 && (!isUntouched || hidesChange());
  await run([...command(), ...(isForced ? ["--force"] : [])], cwd, name, signal);
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ files, output: hashOutput(outputs) }));
  say(`Built the ${name} in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s.`);
  return true;

  // The compiler trusts times: to it, a changed file that is older than the last build has not changed.
  function hidesChange() {
    const builtMs = Math.max(...buildInfos(outputs).map((file) => statSync(file).mtimeMs));
    return changed.some((file) => existsSync(join(root, file)) && statSync(join(root, file)).mtimeMs <= builtMs);
  }
}

/** What the compiler remembers of each project. */
function buildInfos(outputs) {
  const files = outputs.flatMap((place) => filesBelow(join(root, place), /^node_modules$/));
  return files.filter((file) => file.endsWith(".tsbuildinfo"));
}

function readStamp(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

function hashFiles(places, excluded) {
  const files = {};
  for (const path of places.flatMap((place) => filesBelow(join(root, place), excluded))) {
    files[relative(root, path)] = createHash("sha256").update(readFileSync(path)).digest("base64url");
  }
  return files;
}

function hashOutput(places) {
  const files = hashFiles(places, /^\.(built-from|tsbuildinfo)$/);
  return createHash("sha256").update(JSON.stringify(files)).digest("base64url");
}

function filesBelow(path, excluded) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !excluded.test(name))
    .sort()
    .flatMap((name) => filesBelow(join(path, name), excluded));
}

function run(args, cwd, name, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
    const end = () => child.kill("SIGKILL");
    signal.addEventListener("abort", end, { once: true });
    child.once("error", reject);
    child.once("exit", (code) => {
      signal.removeEventListener("abort", end);
      if (code === 0) resolve();
      else reject(new Error(`The ${name} could not be built.`));
    });
  });
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await build({ say: (line) => console.log(line) }).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
