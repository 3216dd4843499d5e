import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importPrivateKey, importPublicKey, signHeader, verifyHeader } from "../src/index.ts";

interface Vector {
  name: string;
  header: string | string[] | null;
  now: string;
  merchantId: string;
  active: boolean;
  publicKey: string;
  verdict: { status: number; code: string | null };
}

const folder = new URL("../../contract/vectors/", import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const { vectors } = read("authorization.json") as { vectors: Vector[] };

describe("contract/vectors/authorization.json", () => {
  test.each(vectors)(
    "$name → $verdict.status $verdict.code",
    async ({ header, now, merchantId, active, publicKey, verdict }) => {
      const { status, code } = await verifyHeader(header, {
        now: new Date(now),
        merchantId,
        active,
        publicKey,
      });
      expect({ status, code }).toEqual(verdict);
    },
  );
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
