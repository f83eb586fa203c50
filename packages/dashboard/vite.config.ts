import { readFile } from "node:fs/promises";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** The coordinator whose data `npm run dev` shows; the default is its default address. */
const COORDINATOR = process.env.TENTERHOOK_URL ?? "http://127.0.0.1:4100";

export default defineConfig({
  plugins: [react(), serviceWorker()],
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

/** Writes the service worker with the list of the files that it keeps. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    enforce: "post",
    async generateBundle(_options, bundle) {
      const code = await readFile(new URL("service-worker.js", import.meta.url), "utf8");
      const files = ["/index.html", ...Object.keys(bundle).map((name) => `/${name}`)];
      const list = JSON.stringify([...new Set(files)].toSorted());
      this.emitFile({
        type: "asset",
        fileName: "service-worker.js",
        source: `const FILES = ${list};\n${code}`,
      });
    },
  };
}
