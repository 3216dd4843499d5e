import { readFileSync, writeFileSync } from "node:fs";
import { bindCases } from "./bind-cases.mjs";
import { keys } from "./build.mjs";
import { layerCases } from "./layer-cases.mjs";
import { linkCases } from "./link-cases.mjs";
import { merchantCases } from "./merchant-cases.mjs";
import { proofCases } from "./proof-cases.mjs";
import { signatureCases } from "./signature-cases.mjs";
import { timeCases } from "./time-cases.mjs";

// Writes the vectors with `--write`; without it, says whether the committed files are what this program would write. The
// output is the same on every run, so a difference is a change somebody made.

const vectors = [...layerCases, ...merchantCases, ...timeCases, ...signatureCases, ...bindCases];
for (const list of [vectors, proofCases, linkCases]) {
  const names = new Set(list.map(({ name }) => name));
  if (names.size !== list.length) throw new Error("Two vectors have the same name.");
}

const files = {
  "keys.json": {
    description: "Key pairs of the vectors, for tests of signing. They are public: never register or use them.",
    ...keys,
  },
  "authorization.json": {
    description: "X-Merchant-Authorization: header, key and clock in, verdict out. README.md explains the fields.",
    vectors,
  },
  "proofs.json": {
    description:
      "The proof of a merchant application: application and clock in, verdict out. README.md explains the fields.",
    vectors: proofCases,
  },
  "payment-links.json": {
    description: "Signed payment links: link, key and clock in, verdict out. README.md explains the fields.",
    vectors: linkCases,
  },
};

let differs = false;
for (const [name, content] of Object.entries(files)) {
  const path = new URL(name, import.meta.url);
  const text = `${JSON.stringify(content, null, 2)}\n`;
  if (process.argv.includes("--write")) {
    writeFileSync(path, text);
  } else if (readFileSync(path, "utf8") !== text) {
    differs = true;
    console.error(`${name} is not what generate.mjs writes. Run: node contract/vectors/generate.mjs --write`);
  }
}
console.log(`${vectors.length} vectors`);
process.exitCode = differs ? 1 : 0;
