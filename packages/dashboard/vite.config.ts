import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where a coordinator listens unless it was told otherwise; `npm run dev` shows its data. */
const COORDINATOR = process.env.TENTERHOOK_URL ?? "http://127.0.0.1:4100";

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "dist/page",
    target: "es2023",
    // The page may load fonts and pictures from files alone.
    assetsInlineLimit: 0,
    // The page is one program for one purpose; its parts are loaded with the pages that need them.
    chunkSizeWarningLimit: 900,
    // zod and what tells it to make no code of strings are one chunk: whatever makes a schema comes after both.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "zod", test: /node_modules\/zod\/|\/no-eval\.ts$/ }] } },
    },
  },
  server: {
    proxy: {
      // What a browser opens is the page; everything else is the coordinator's.
      "^/(?!src/|node_modules/|@).*": {
        target: COORDINATOR,
        bypass: ({ headers, url = "/" }) =>
          headers.accept?.includes("text/html") && !url.startsWith("/login?") ? "/index.html" : undefined,
      },
    },
  },
});
