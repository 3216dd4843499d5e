import { fork } from "node:child_process";
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";

// Many short rounds, because other load comes in longer bursts. Several pairs of processes, because memory layout makes one
// run of the same program a few per cent faster than another.
const PAIRS = 6;
const ROUNDS = 16;
const ROUND_MS = 400;
const WARM_UP_MS = 4_000;
const CLIENTS = 32;

export default {
  id: "P4",
  title: "authenticated read without database work ÷ bare node:http + crypto.verify",
  goal: "≥ 0.8",
  async run({ note }) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const publicKeyPem = publicKey.export({ type: "spki", format: "pem" });
    const client = fork(new URL("../load.mjs", import.meta.url));
    const headers = { "x-merchant-authorization": header(privateKey) };
    const measure = (server, durationMs = ROUND_MS) =>
      ask(client, { url: `http://127.0.0.1:${server.port}/`, headers, clients: CLIENTS, durationMs });
    const rounds = [];
    try {
      for (let pair = 1; pair <= PAIRS; pair++) {
        const measured = await measurePair(publicKeyPem, measure);
        note(`pair ${pair} of ${PAIRS}: ${median(measured.map(ratioOf)).toFixed(2)}`);
        rounds.push(...measured);
      }
    } finally {
      client.kill();
    }
    const [matchbook, bare] = ["matchbook", "bare"].map((side) => median(rounds.map((round) => round[side])));
    const ratio = median(rounds.map(ratioOf));
    const detail = `median of ${rounds.length} rounds; ${Math.round(matchbook)}/s ÷ ${Math.round(bare)}/s, ${CLIENTS} clients`;
    return [{ what: "requests/s", ratio, pass: ratio >= 0.8, detail }];
  },
};

/** Starts both servers and measures them in turns, each as often first as second, so that noise affects both alike. */
async function measurePair(publicKeyPem, measure) {
  const servers = await Promise.all([start("bare", publicKeyPem), start("matchbook", publicKeyPem)]);
  const [bareServer, matchbookServer] = servers;
  try {
    for (const server of servers) await measure(server, WARM_UP_MS);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 2) {
      const before = await measure(bareServer);
      rounds.push({ bare: before, matchbook: await measure(matchbookServer) });
      const matchbook = await measure(matchbookServer);
      rounds.push({ bare: await measure(bareServer), matchbook });
    }
    return rounds;
  } finally {
    for (const { process } of servers) process.kill();
  }
}

const ratioOf = ({ bare, matchbook }) => matchbook / bare;

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
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
