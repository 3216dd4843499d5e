import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/console/",
  plugins: [react()],
  build: {
    // Everything comes from files of our own, so that the content security policy needs no exception.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  // For work on the console itself: `npx vite` beside a running server.
  // The Host header stays this page's own: the server compares it with the origin of every change.
  server: { proxy: { "/operator": { target: "http://127.0.0.1:8090", changeOrigin: false } } },
});
