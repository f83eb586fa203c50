import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The coordinator whose data `npm run dev` shows; the default is its default address. */
const COORDINATOR = process.env.TENTERHOOK_URL ?? "http://127.0.0.1:4100";

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "dist/page",
    target: "es2023",
    // The security policy allows fonts and images only from files.
    assetsInlineLimit: 0,
    // Pages are loaded separately; the shared chunk is larger than the default limit.
    chunkSizeWarningLimit: 900,
    // zod and its configuration in no-eval.ts are one chunk, so that the configuration runs before any schema is created.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "zod", test: /node_modules\/zod\/|\/no-eval\.ts$/ }] } },
    },
  },
  server: {
    proxy: {
      // Navigation requests get the page; all others go to the coordinator.
      "^/(?!src/|node_modules/|@).*": {
        target: COORDINATOR,
        bypass: ({ headers, url = "/" }) =>
          headers.accept?.includes("text/html") && !url.startsWith("/login?") ? "/index.html" : undefined,
      },
    },
  },
});
