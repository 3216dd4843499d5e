import { fork } from "node:child_process";
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";

// Many short rounds: what else the machine does comes in bursts longer than one of them.
const ROUNDS = 60;
const ROUND_MS = 500;
const WARM_UP_MS = 3_000;
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
    const measure = (server, durationMs = ROUND_MS) =>
      ask(client, { url: `http://127.0.0.1:${server.port}/`, headers, clients: CLIENTS, durationMs });
    try {
      const [bareServer, matchbookServer] = servers;
      for (const server of servers) await measure(server, WARM_UP_MS);
      // One after the other, again and again, each as often first as second: noise falls on both alike.
      const rounds = [];
      for (let round = 0; round < ROUNDS; round += 2) {
        const before = await measure(bareServer);
        rounds.push({ bare: before, matchbook: await measure(matchbookServer) });
        const matchbook = await measure(matchbookServer);
        rounds.push({ bare: await measure(bareServer), matchbook });
      }
      const ratios = rounds.map(({ bare, matchbook }) => matchbook / bare);
      const ratio = quantile(ratios, 0.5);
      note(
        `${ROUNDS} rounds, half of them between ${quantile(ratios, 0.25).toFixed(2)} and ${quantile(ratios, 0.75).toFixed(2)}`,
      );
      const detail = `${Math.round(
        quantile(
          rounds.map((r) => r.matchbook),
          0.5,
        ),
      )}/s ÷ ${Math.round(
        quantile(
          rounds.map((r) => r.bare),
          0.5,
        ),
      )}/s, ${CLIENTS} clients, median of ${ROUNDS} rounds`;
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

function quantile(numbers, share) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length * share)];
}
