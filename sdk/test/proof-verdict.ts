import { decodeBase64Url } from "../src/base64.ts";
import { readObject } from "../src/json-object.ts";
import { importPublicKey } from "../src/keys.ts";
import { findTimeProblem } from "../src/lifetime.ts";
import { verifySignature } from "../src/signature.ts";

export interface ProofVector {
  name?: string;
  application: { email: string; domain: string; publicKey: string };
  proof: unknown;
  now: string;
  verdict?: { status: number; code: string | null };
}

/** The service's verdict on the proof of an application, reached without the service's code. */
export async function judgeProof({ application, proof, now }: ProofVector) {
  const isTrue = await isTrueProof(application, proof, Date.parse(now));
  return isTrue ? { status: 202, code: null } : { status: 400, code: "VALIDATION_ERROR" };
}

async function isTrueProof(application: ProofVector["application"], proof: unknown, nowMs: number): Promise<boolean> {
  if (typeof proof !== "object" || proof === null || Object.keys(proof).sort().join() !== "payload,signature")
    return false;
  const { payload, signature } = proof as Record<string, unknown>;
  if (typeof payload !== "string" || typeof signature !== "string") return false;
  const bytes = decodeBase64Url(payload);
  const signatureBytes = decodeBase64Url(signature);
  if (bytes === null || signatureBytes === null) return false;

  const object = readObject(bytes);
  if (typeof object === "string") return false;
  const { domain, email } = application;
  const wanted = { version: "v1", purpose: "merchant-application", domain, email };
  if (object.size !== Object.keys(wanted).length + 1) return false;
  if (Object.entries(wanted).some(([key, value]) => object.get(key) !== value)) return false;
  const signatureTimestamp = object.get("signatureTimestamp");
  if (typeof signatureTimestamp !== "string") return false;
  if (findTimeProblem(signatureTimestamp, undefined, nowMs) !== null) return false;
  const key = await importPublicKey(application.publicKey);
  return verifySignature(key, signatureBytes, new TextEncoder().encode(payload));
}
