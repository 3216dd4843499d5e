// The proof of an application: a signature, with the key that is applied for, over who applies. It is a kind of its own: its
// keys fit neither an identity payload nor a payment link, so none of the three passes for another.
import type { KeyObject } from "node:crypto";
import { fail } from "../http/errors.ts";
import { decodeBase64Url } from "../signing/base64.ts";
import { verifySignature } from "../signing/signature.ts";
import { describeBase64Url, quote, readObject, refuseOtherKeys, requireString } from "../signing/strict-json.ts";
import { findTimeProblem } from "../signing/time.ts";

const KEYS: readonly string[] = ["version", "purpose", "domain", "email", "signatureTimestamp"];

export interface Proof {
  readonly payload: string;
  readonly signature: string;
}

export interface ProofContext {
  readonly publicKey: KeyObject;
  /** The texts of the application itself. */
  readonly domain: string;
  readonly email: string;
}

/** Answers 400 that names what is wrong, unless whoever holds the private key signed this very application a moment ago. */
export function checkProof(proof: Proof, { publicKey, ...expected }: ProofContext, nowMs: number): void {
  const signature =
    decodeBase64Url(proof.signature) ?? refuse("proof.signature base64url", describeBase64Url(proof.signature));
  const bytes = decodeBase64Url(proof.payload) ?? refuse("proof.payload base64url", describeBase64Url(proof.payload));
  const layer = "proof.payload";
  const content = readObject(bytes, `${layer} JSON`, refuse);
  refuseOtherKeys(content, KEYS, `${layer} JSON`, refuse);
  const signatureTimestamp = requireString(content, "signatureTimestamp", layer, refuse);
  for (const [key, wanted] of Object.entries({ version: "v1", purpose: "merchant-application", ...expected })) {
    const found = requireString(content, key, layer, refuse);
    if (found !== wanted) refuse(`${layer}.${key}`, `it is ${quote(found)} and must be ${quote(wanted)}.`);
  }
  const problem = findTimeProblem({ signatureTimestamp }, nowMs);
  if (problem !== null) refuse(`${layer}.signatureTimestamp`, problem.message);
  if (!verifySignature(publicKey, proof.payload, signature)) {
    refuse("proof.signature", "it does not match proof.payload and publicKey. Sign the payload's base64url text.");
  }
}

function refuse(layer: string, problem: string): never {
  fail("VALIDATION_ERROR", `proof is not valid (${layer}): ${problem}`);
}
