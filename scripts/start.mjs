// npm start and npm run dev: builds what is not current, then becomes the program. One process, so that it ends with npm.

import { build } from "./build.mjs";

const [program = "start", ...args] = process.argv.slice(2);

await buildOrExit();
if (program === "dev") {
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  await import("../server/scripts/dev.mjs");
} else {
  process.argv.splice(2, Number.POSITIVE_INFINITY, "start", ...args);
  await import("../server/bin/matchbook-server.js");
}

/** A signal ends the build and its processes. */
async function buildOrExit() {
  const stopping = new AbortController();
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
  for (const name of Object.keys(codes)) process.once(name, stop);
  try {
    await build({ say, signal: stopping.signal });
  } catch (error) {
    if (!stopping.signal.aborted) console.error(error.message);
    process.exit(codes[stopping.signal.reason] ?? 1);
  }
  // A signal that came while files were compared is delivered only now.
  await new Promise((resolve) => setImmediate(resolve));
  if (stopping.signal.aborted) process.exit(codes[stopping.signal.reason]);
  for (const name of Object.keys(codes)) process.off(name, stop);

  function stop(name) {
    stopping.abort(name);
  }
}

function say(line) {
  console.log(`${process.uptime().toFixed(1).padStart(6)} s  ${line}`);
}
