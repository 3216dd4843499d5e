// The real program in processes of its own, for rows that measure through real sockets.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../server/bin/matchbook-server.js", import.meta.url));

/** Starts it with these variables, on any free ports. Its first printed address is `url`. */
export async function startProgram(variables) {
  const dataDir = mkdtempSync(join(tmpdir(), "matchbook-bench-"));
  const child = spawn(process.execPath, [BIN, "start"], {
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      OPERATOR_PORT: "0",
      SANDBOX_PORT: "0",
      SANDBOX_OPERATOR_PORT: "0",
      LOG_LEVEL: "warn",
      MATCHBOOK_DATA_DIR: dataDir,
      ...variables,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const exited = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve, reject) => {
    exited.then(() => reject(new Error(`The program ended:\n${output}`)));
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes(" is ready ")) resolve();
    });
  });
  const [url] = /http:\/\/[0-9.]+:[0-9]+/.exec(output);
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A child process's answer to one message. */
export function ask(child, message) {
  return new Promise((resolve, reject) => {
    const died = (code) => reject(new Error(`The process exited with ${code}.`));
    child.once("exit", died);
    child.once("message", (answer) => {
      child.off("exit", died);
      resolve(answer);
    });
    child.send(message);
  });
}
