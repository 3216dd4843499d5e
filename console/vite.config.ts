import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const source = (name: string) => fileURLToPath(new URL(`../packages/addresses/src/${name}`, import.meta.url));

export default defineConfig({
  base: "/console/",
  plugins: [react()],
  // The package's sources, so that the console's build needs no other build first.
  resolve: {
    alias: [
      { find: "@matchbook/addresses/chains", replacement: source("chains.ts") },
      { find: "@matchbook/addresses", replacement: source("addresses.ts") },
    ],
  },
  build: {
    // Everything comes from files of our own, so that the content security policy needs no exception.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  // For work on the console itself: `npx vite` beside a running server.
  // The Host header stays this page's own: the server compares it with the origin of every change.
  server: {
    proxy: { "/operator": { target: `http://127.0.0.1:${process.env.OPERATOR_PORT ?? 8090}`, changeOrigin: false } },
  },
});
