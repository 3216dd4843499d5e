import { expect, test } from "vitest";
import { programName } from "./program.ts";

test.each([
  ["/shop/node_modules/.bin/matchbook-server", "npx", "npx @matchbook/server"],
  ["/shop/node_modules/.bin/matchbook-server", undefined, "matchbook-server"],
  ["/usr/local/bin/matchbook-server", undefined, "matchbook-server"],
  ["/shop/server/bin/matchbook-server.js", "start", "node server/bin/matchbook-server.js"],
])("started as %s by %s, the program is called %s in hints", (script, event, name) => {
  expect(programName(script, event, "/shop")).toBe(name);
});
