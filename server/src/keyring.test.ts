import { describe, expect, test } from "vitest";
import { createKeyring, findSecretProblem, readSecret, writeSecret } from "./keyring.ts";

const [one, two, three] = ["1".repeat(32), "2".repeat(32), "3".repeat(32)];
const hex = (key: Buffer) => key.toString("hex");

describe("the secret as a list of versions", () => {
  test("a plain text is version 1, and derives the keys it always did", () => {
    expect(readSecret(`${one}\n`)).toEqual([{ version: 1, state: "active", text: one }]);
    const plain = createKeyring(one, "production");
    const listed = createKeyring(`v1:${one}`, "production");
    for (const purpose of ["cursors", "payers", "audit"]) {
      expect(plain.signing(purpose)).toEqual(listed.signing(purpose));
      expect(plain.first(purpose)).toEqual(plain.signing(purpose).key);
    }
    expect(hex(createKeyring("a".repeat(32), "production").first("payers"))).toBe(
      "281a10140ecc60bb9f7b730d8d7d6ec5fcfcfde3c602a39183165248866ebc9a",
    );
  });

  test("the newest version signs, old ones still open, and user ids stay with version 1", () => {
    const ring = createKeyring(`v2:${two},v1:${one}`, "production");
    expect(ring.signing("tokens").version).toBe(2);
    expect(ring.active("tokens").map(({ version }) => version)).toEqual([2, 1]);
    expect(ring.first("payers")).toEqual(createKeyring(one, "production").first("payers"));
  });

  test("-next opens but does not sign; -retired only verifies history", () => {
    const ring = createKeyring(`v3-next:${three}\nv2:${two}\nv1-retired:${one}\n`, "sandbox");
    expect(ring.signing("tokens").version).toBe(2);
    expect(ring.active("tokens").map(({ version }) => version)).toEqual([2, 3]);
    expect(ring.all("audit").map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(ring.first("payers")).toEqual(createKeyring(one, "sandbox").first("payers"));
  });

  test("what is written is read again, with any white space between", () => {
    const text = `v3:${three},v2:${two},v1-retired:${one}`;
    expect(writeSecret(readSecret(text), ",")).toBe(text);
    expect(readSecret(text.replaceAll(",", " \r\n\t"))).toEqual(readSecret(text));
  });

  test("keys differ by environment, purpose and version", () => {
    const rings = [createKeyring(`v2:${two},v1:${one}`, "production"), createKeyring(`v2:${two},v1:${one}`, "sandbox")];
    const keys = rings.flatMap((ring) => ["cursors", "audit"].flatMap((purpose) => ring.all(purpose)));
    expect(new Set(keys.map(({ key }) => hex(key))).size).toBe(8);
  });

  test.each([
    ["too short", "x".repeat(31)],
    ["an item that is too short", `v2:${"x".repeat(31)},v1:${one}`],
    ["an item without a version", `v2:${two},${one}`],
    ["a version without a text", `v2:,v1:${one}`],
    ["an unknown mark", `v2-old:${two},v1:${one}`],
    ["version 0", `v1:${one},v0:${two}`],
    ["oldest first", `v1:${one},v2:${two}`],
    ["a version twice", `v2:${two},v2:${three},v1:${one}`],
    ["a gap", `v3:${three},v1:${one}`],
    ["no version 1", `v3:${three},v2:${two}`],
    ["the same text twice", `v2:${one},v1:${one}`],
    ["an old version marked -next", `v2:${two},v1-next:${one}`],
    ["all of them retired", `v1-retired:${one}`],
    ["none that signs", `v2-next:${two},v1-retired:${one}`],
  ])("refused, on one line that does not echo it: %s", (_name, value) => {
    const problem = findSecretProblem(value);
    expect(problem).toMatch(/^[^\n]+$/);
    for (const text of [one, two, three]) expect(problem).not.toContain(text);
    expect(() => createKeyring(value, "production")).toThrow();
  });
});
