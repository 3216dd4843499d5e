import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  importPrivateKey,
  importPublicKey,
  type PaymentLinkEnvelope,
  type SignedRequest,
  signApplicationProof,
  signHeader,
  verifyHeader,
  verifyPaymentLink,
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

  test("a bound header is refused without its request", async () => {
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

  test("a proof made by signApplicationProof is accepted", async () => {
    const { merchant } = read("keys.json");
    const application = { email: "Payments@shop.example", domain: "Shop.example", publicKey: merchant.publicKey };
    const now = "2026-01-15T12:00:00.000Z";
    const proof = await signApplicationProof({ ...application, privateKey: merchant.privateKey, now: new Date(now) });
    expect(await judgeProof({ application, proof, now })).toEqual({ status: 202, code: null });
  });
});

describe("contract/vectors/payment-links.json", () => {
  interface LinkVector {
    name: string;
    link: PaymentLinkEnvelope;
    now: string;
    merchantId: string;
    publicKey: string;
    verdict: { ok: boolean; code: string | null };
  }
  const links = (read("payment-links.json") as { vectors: LinkVector[] }).vectors;

  test.each(links)("$name → $verdict.ok $verdict.code", async ({ link, now, merchantId, publicKey, verdict }) => {
    const fetchPublicKey = async (id: string) => (id === merchantId ? publicKey : null);
    const judged = await verifyPaymentLink({ link, now: new Date(now), fetchPublicKey });
    expect({ ok: judged.ok, code: judged.ok ? null : judged.code }).toEqual(verdict);
    if (!judged.ok) return;
    expect(judged.payment).toStrictEqual(JSON.parse(Buffer.from(link.payload, "base64url").toString()));
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
