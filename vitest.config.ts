import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(`packages/${path}`, import.meta.url));

export default defineConfig({
  // Tests run the packages' sources, so that no old build can answer for them.
  resolve: {
    alias: [
      { find: "@matchbook/addresses/chains", replacement: source("addresses/src/chains.ts") },
      { find: "@matchbook/addresses", replacement: source("addresses/src/addresses.ts") },
      { find: "@matchbook/embedded-postgres", replacement: source("embedded-postgres/src/index.ts") },
    ],
  },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "server/src/**/*.test.ts",
      "server/test/**/*.test.ts",
      "sdk/src/**/*.test.ts",
      "sdk/test/**/*.test.ts",
      "console/src/**/*.test.ts",
    ],
    globalSetup: ["server/test/harness/global-setup.ts"],
    // Most tests wait for a database or a process rather than for the processor.
    maxWorkers: 3,
    // The files of a worker share what they import, which no test changes: to load it again for each takes a third of the time.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes late on a busy machine; a test that passes does not wait for this.
    expect: { poll: { timeout: 10_000 } },
  },
});
