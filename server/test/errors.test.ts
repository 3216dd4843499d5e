import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type ErrorCode, errors, shownCode } from "../src/http/errors.ts";

const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| (\d{3}) \| `([A-Z_]+)` \| (.+) \| (.+) \|$/gm)].map(
  ([, status, code]) => `${status} ${code}`,
);

test("docs/errors.md explains every code of the catalogue, in its order of precedence, and no other", () => {
  const catalogue = (Object.keys(errors) as ErrorCode[]).map((code) => `${errors[code][0]} ${shownCode(code)}`);
  expect(rows).toEqual(catalogue);
});
