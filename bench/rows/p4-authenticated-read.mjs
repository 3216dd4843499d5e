import { fork } from "node:child_process";
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";

const ROUNDS = 7;
const ROUND_MS = 1_500;
const CLIENTS = 32;

export default {
  id: "P4",
  title: "authenticated read without database work ÷ bare node:http + crypto.verify",
  goal: "≥ 0.9",
  async run({ note }) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const publicKeyPem = publicKey.export({ type: "spki", format: "pem" });
    const servers = await Promise.all([start("bare", publicKeyPem), start("matchbook", publicKeyPem)]);
    const client = fork(new URL("../load.mjs", import.meta.url));
    const headers = { "x-merchant-authorization": header(privateKey) };
    const measure = (server) =>
      ask(client, {
        url: `http://127.0.0.1:${server.port}/`,
        headers,
        clients: CLIENTS,
        durationMs: ROUND_MS,
      });
    try {
      // One after the other, again and again: noise of the machine falls on both alike. The first round warms up.
      const rounds = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const [bare, matchbook] = [await measure(servers[0]), await measure(servers[1])];
        note(`round ${round}: ${Math.round(bare)} and ${Math.round(matchbook)} requests/s`);
        if (round > 0) rounds.push({ bare, matchbook });
      }
      const ratio = median(rounds.map(({ bare, matchbook }) => matchbook / bare));
      const detail = `${Math.round(median(rounds.map((r) => r.matchbook)))}/s ÷ ${Math.round(median(rounds.map((r) => r.bare)))}/s, ${CLIENTS} clients, median of ${ROUNDS} rounds`;
      return [{ what: "requests/s", ratio, pass: ratio >= 0.9, detail }];
    } finally {
      for (const { process } of servers) process.kill();
      client.kill();
    }
  },
};

async function start(kind, publicKeyPem) {
  const process = fork(new URL("../servers/p4.mjs", import.meta.url), [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return { process, port: await ask(process, { kind, publicKeyPem }) };
}

function ask(child, message) {
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

function header(privateKey) {
  const payload = Buffer.from(JSON.stringify({ version: "v1", signatureTimestamp: new Date().toISOString() })).toString(
    "base64url",
  );
  const signature = sign("sha256", Buffer.from(payload), privateKey).toString("base64url");
  return Buffer.from(JSON.stringify({ merchantId: randomUUID(), payload, signature })).toString("base64");
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
