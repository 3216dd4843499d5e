import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  importPrivateKey,
  importPublicKey,
  type SignedRequest,
  signApplicationProof,
  signHeader,
  verifyHeader,
} from "../src/index.ts";
import { judgeProof, type ProofVector } from "./proof-verdict.ts";

interface Vector {
  name: string;
  header: string | string[] | null;
  now: string;
  merchantId: string;
  active: boolean;
  publicKey: string;
  /** The request that the header came with, where that matters. */
  request?: SignedRequest;
  requireBoundSignatures?: boolean;
  verdict: { status: number; code: string | null };
  /** The part of bind that the message names. */
  names?: string;
}

const folder = new URL("../../contract/vectors/", import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const { vectors } = read("authorization.json") as { vectors: Vector[] };

describe("contract/vectors/authorization.json", () => {
  test.each(vectors)(
    "$name → $verdict.status $verdict.code",
    async ({ header, now, verdict, names = "", merchantId, active, publicKey, request, requireBoundSignatures }) => {
      const known = { merchantId, active, publicKey, request, requireBoundSignatures };
      const { status, code, message } = await verifyHeader(header, { ...known, now: new Date(now) });
      expect({ status, code }).toEqual(verdict);
      expect(message).toContain(names);
    },
  );

  test("no header that is bound passes without its request", async () => {
    const bound = vectors.filter(({ request, verdict }) => request !== undefined && verdict.status === 200);
    expect(bound.length).toBeGreaterThan(10);
    for (const { name, header, now, merchantId, publicKey } of bound.filter(({ name }) => name !== "not bound")) {
      const verdict = await verifyHeader(header, { merchantId, publicKey, now: new Date(now) });
      expect(verdict, name).toMatchObject({ status: 422, code: "MERCHANT_SIGNATURE_INVALID" });
    }
  });
});

describe("contract/vectors/proofs.json", () => {
  const proofs = (read("proofs.json") as { vectors: ProofVector[] }).vectors;

  test.each(proofs)("$name → $verdict.status $verdict.code", async (vector) => {
    expect(await judgeProof(vector)).toEqual(vector.verdict);
  });

  test("what signApplicationProof makes is accepted", async () => {
    const { merchant } = read("keys.json");
    const application = { email: "Payments@shop.example", domain: "Shop.example", publicKey: merchant.publicKey };
    const now = "2026-01-15T12:00:00.000Z";
    const proof = await signApplicationProof({ ...application, privateKey: merchant.privateKey, now: new Date(now) });
    expect(await judgeProof({ application, proof, now })).toEqual({ status: 202, code: null });
  });
});

describe("contract/vectors/keys.json", () => {
  test("its key pairs belong together", async () => {
    const { merchant, other } = read("keys.json");
    for (const pair of [merchant, other]) {
      const privateKey = await importPrivateKey(pair.privateKey);
      const publicKey = await importPublicKey(pair.publicKey);
      const header = await signHeader({ merchantId: "m", privateKey });
      expect(await verifyHeader(header, { merchantId: "m", publicKey })).toMatchObject({ status: 200 });
    }
  });
});
