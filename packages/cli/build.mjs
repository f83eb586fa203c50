// Bundles the command: a small entry that knows the version, and one chunk per verb that is loaded when it is used.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const bin = join(here, "dist", "bin");
const { version, dependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));

rmSync(bin, { recursive: true, force: true });
mkdirSync(bin, { recursive: true });

// What is CommonJS, locates files beside itself, or is chosen by the person who installs it stays a package of its own.
const external = Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]);

const shared = {
  absWorkingDir: here,
  bundle: true,
  platform: "node",
  target: "node20.19",
  define: { TENTERHOOK_VERSION: JSON.stringify(version) },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
};

// The entry is CommonJS: that alone starts a tenth faster than a module. All else is modules, which can be split.
await build({
  ...shared,
  entryPoints: { tenterhook: "src/main.ts" },
  outdir: bin,
  format: "cjs",
  banner: { js: "#!/usr/bin/env node" },
  plugins: [
    {
      name: "the rest is not part of the entry",
      setup(entry) {
        entry.onResolve({ filter: /\/command\.ts$/ }, () => ({ path: "./command.mjs", external: true }));
        entry.onResolve({ filter: /\/bridge\.js$/ }, ({ path }) => ({ path, external: true }));
      },
    },
  ],
});
writeFileSync(join(bin, "package.json"), '{ "type": "commonjs" }\n');

// The bridge is one file that needs no other: a tool call waits for it, and `install` copies it.
await build({
  ...shared,
  entryPoints: { bridge: "src/bridge/entry.ts" },
  outdir: bin,
  format: "cjs",
  alias: { yaml: fileURLToPath(new URL("../browser/index.js", import.meta.resolve("yaml"))) },
});

const { metafile } = await build({
  ...shared,
  entryPoints: { command: "src/command.ts" },
  outdir: bin,
  outExtension: { ".js": ".mjs" },
  chunkNames: "[name]-[hash]",
  format: "esm",
  splitting: true,
  external,
  metafile: true,
  alias: {
    // Its build for Node is CommonJS, which a module cannot contain; this is the same as modules.
    yaml: fileURLToPath(new URL("../browser/index.js", import.meta.resolve("yaml"))),
    // Small files of a package that stays outside: loading that to ask where a folder is would take longer than most verbs.
    "@tenterhook/runner/access": fileURLToPath(import.meta.resolve("@tenterhook/runner/access")),
    "@tenterhook/runner/data-folder": fileURLToPath(import.meta.resolve("@tenterhook/runner/data-folder")),
  },
});
// Programs of the demo run in processes of their own, and people read them: they stay as they are.
cpSync(join(here, "src", "demo", "programs"), join(bin, "demo"), { recursive: true });
// Which file went into which chunk: what the start-up tests judge by.
writeFileSync(join(here, "dist", "chunks.json"), JSON.stringify(metafile.outputs));
writeFileSync(join(bin, "LICENSES.txt"), licenses(Object.keys(metafile.inputs)));

/** The licenses of what is bundled go along with it. */
function licenses(inputs) {
  const folders = new Set(
    inputs.map((input) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter(Boolean),
  );
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version: its } = JSON.parse(readFileSync(join(here, folder, "package.json"), "utf8"));
      return `${name} ${its}\n\n${licenseText(join(here, folder))}`;
    })
    .join("\n\n----\n\n");
}

function licenseText(folder) {
  for (const name of ["LICENSE", "LICENSE.md", "LICENSE.txt", "license"]) {
    try {
      return readFileSync(join(folder, name), "utf8").trim();
    } catch {
      // Try the next name.
    }
  }
  throw new Error(`${folder} has no license file; what is bundled must name its license`);
}
