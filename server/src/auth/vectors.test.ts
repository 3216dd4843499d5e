import { execFileSync } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { AppError, fail } from "../http/errors.ts";
import { checkProof, type Proof } from "../merchants/proof.ts";
import { describeInvalidSignature, verifySignature } from "../signing/signature.ts";
import { checkBody, checkHeading } from "./bind.ts";
import { checkTime, parseEnvelope } from "./envelope.ts";

interface Vector {
  name: string;
  header: string | string[] | null;
  now: string;
  merchantId: string;
  active: boolean;
  publicKey: string;
  request?: { environment: string; method: string; path: string; body: string | null };
  requireBoundSignatures?: boolean;
  verdict: { status: number; code: string | null };
  names?: string;
}

const folder = new URL("../../../contract/vectors/", import.meta.url);
const { vectors } = JSON.parse(readFileSync(new URL("authorization.json", folder), "utf8")) as {
  vectors: Vector[];
};

/** The order in which a request is judged: shape, merchant, times, signature. */
function judge(vector: Vector): Vector["verdict"] {
  try {
    const envelope = parseEnvelope(vector.header ?? undefined);
    if (envelope.merchantId !== vector.merchantId) fail("MERCHANT_NOT_REGISTERED");
    if (!vector.active) fail("MERCHANT_NOT_ACTIVE");
    checkTime(envelope, Date.parse(vector.now));
    if (!verifySignature(createPublicKey(vector.publicKey), envelope.payload, envelope.signature)) {
      fail("MERCHANT_SIGNATURE_INVALID", describeInvalidSignature(envelope.signature));
    }
    const { request, merchantId } = vector;
    if (envelope.bind === undefined) {
      if (vector.requireBoundSignatures === true) fail("MERCHANT_SIGNATURE_INVALID");
    } else if (request !== undefined) {
      checkHeading(envelope.bind, { ...request, merchantId });
      checkBody(envelope.bind, request.body === null ? null : Buffer.from(request.body));
    }
    return { status: 200, code: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.message).toContain(vector.names ?? "");
    return { status: error.status, code: error.code };
  }
}

describe("contract/vectors/authorization.json", () => {
  test.each(vectors)("$name → $verdict.status $verdict.code", (vector) => {
    expect(judge(vector)).toEqual(vector.verdict);
  });

  test("covers every verdict", () => {
    const codes = new Set(vectors.map((vector) => vector.verdict.code));
    expect([...codes].sort()).toEqual([
      "MERCHANT_AUTHORIZATION_EXPIRED",
      "MERCHANT_AUTHORIZATION_MISSING",
      "MERCHANT_NOT_ACTIVE",
      "MERCHANT_NOT_REGISTERED",
      "MERCHANT_SIGNATURE_INVALID",
      "MERCHANT_SIGNATURE_TIMESTAMP_INVALID",
      "VALIDATION_ERROR",
      null,
    ]);
  });

  test("is what the committed generator writes", () => {
    const output = execFileSync(process.execPath, [fileURLToPath(new URL("generate.mjs", folder))], {
      encoding: "utf8",
    });
    expect(output).toBe(`${vectors.length} vectors\n`);
  });
});

interface ProofVector {
  name: string;
  application: { email: string; domain: string; publicKey: string };
  proof: Proof;
  now: string;
  verdict: { status: number; code: string | null };
}

describe("contract/vectors/proofs.json", () => {
  const proofs: ProofVector[] = JSON.parse(readFileSync(new URL("proofs.json", folder), "utf8")).vectors;
  // The schema of the body refuses any other shape before.
  const isShaped = (proof: object) =>
    Object.keys(proof).sort().join() === "payload,signature" &&
    Object.values(proof).every((v) => typeof v === "string");

  test.each(proofs.filter(({ proof }) => isShaped(proof)))("$name → $verdict.status", (vector) => {
    const { application, proof, now, verdict } = vector;
    const judge = () => {
      try {
        checkProof(proof, { ...application, publicKey: createPublicKey(application.publicKey) }, Date.parse(now));
        return { status: 202, code: null };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { status: error.status, code: error.code };
      }
    };
    expect(judge()).toEqual(verdict);
  });
});
