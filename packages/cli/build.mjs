// Bundles the command line: a small entry with the version, and one chunk per command that is loaded when it is used.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const bin = join(here, "dist", "bin");
const { version, dependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));

rmSync(bin, { recursive: true, force: true });
mkdirSync(bin, { recursive: true });

// Packages that are CommonJS, locate files beside themselves, or are chosen by the user are not bundled.
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

// The entry is CommonJS, which starts a tenth faster than a module. All else is modules, which can be split.
await build({
  ...shared,
  entryPoints: { tenterhook: "src/main.ts" },
  outdir: bin,
  format: "cjs",
  banner: { js: "#!/usr/bin/env node" },
  plugins: [
    {
      name: "exclude the commands from the entry",
      setup(entry) {
        entry.onResolve({ filter: /\/run-command\.ts$/ }, () => ({
          path: "./run-command.mjs",
          external: true,
        }));
      },
    },
  ],
});
writeFileSync(join(bin, "package.json"), '{ "type": "commonjs" }\n');

await buildBridge();

const { metafile } = await build({
  ...shared,
  entryPoints: { "run-command": "src/run-command.ts" },
  outdir: bin,
  outExtension: { ".js": ".mjs" },
  chunkNames: "[name]-[hash]",
  format: "esm",
  splitting: true,
  external,
  metafile: true,
  alias: {
    // Its build for Node is CommonJS, which cannot be bundled into modules; this build has the same code as modules.
    yaml: fileURLToPath(new URL("../browser/index.js", import.meta.resolve("yaml"))),
    // The same: its entry for Node loads its own files in a way that no bundler follows.
    "jsonc-parser": fileURLToPath(
      new URL("../esm/main.js", import.meta.resolve("jsonc-parser", new URL("../bridges/", import.meta.url))),
    ),
    // Small files of a package that is not bundled: loading the whole package would take longer than most commands.
    "@tenterhook/runner/access": fileURLToPath(import.meta.resolve("@tenterhook/runner/access")),
    "@tenterhook/runner/data-folder": fileURLToPath(import.meta.resolve("@tenterhook/runner/data-folder")),
  },
});
// The demo programs run in their own processes, and users read them, so they are copied unchanged.
cpSync(join(here, "src", "demo", "programs"), join(bin, "demo"), { recursive: true });
// So is the plugin that `install` writes for OpenCode.
const plugin = "opencode-plugin.template.mjs";
cpSync(join(here, "..", "bridges", "src", "install", plugin), join(bin, plugin));
// So are the ready-made rules.
cpSync(join(here, "..", "rules", "rules"), join(bin, "rules"), { recursive: true });
// So are the agent, the rule and the files of `demo`.
cpSync(join(here, "src", "demo", "refusal"), join(bin, "demo-refusal"), { recursive: true });
// Which file is in which chunk, for the start-up tests.
writeFileSync(join(here, "dist", "chunks.json"), JSON.stringify(metafile.outputs));
writeFileSync(join(bin, "LICENSES.txt"), licenses(Object.keys(metafile.inputs)));

/**
 * The bridge is a folder of its own, which needs nothing outside it: a tool call waits for it, and `install` copies it. What it loads
 * only when it needs it is a file each; esbuild itself splits modules only, and those take longer to load than all of this.
 */
async function buildBridge() {
  const folder = join(bin, "bridge");
  const names = new Map([
    [join(here, "src", "bridge", "entry.ts"), "bridge"],
    // `start-bridge.ts` loads it by this name.
    [join(here, "src", "bridge", "main.ts"), "main"],
    [fileURLToPath(import.meta.resolve("re2js")), "re2js"],
  ]);
  const inputs = [];
  for (const [entry, name] of names) {
    const { metafile: built } = await build({
      ...shared,
      entryPoints: { [name]: entry },
      outdir: folder,
      format: "cjs",
      metafile: true,
      // A tool call waits for reading it.
      minifyIdentifiers: true,
      define: { ...shared.define, "performance.now": "quickNow" },
      inject: [join(here, "src", "bridge", "quick-now.ts")],
      // Else Node would load each file as a module, with all that this takes.
      supported: { "dynamic-import": false },
      alias: { yaml: fileURLToPath(new URL("../browser/index.js", import.meta.resolve("yaml"))) },
      plugins: [
        {
          name: "what is imported when it is needed is a file of its own",
          setup(bundle) {
            // The pattern engine is large, and most matchers are plain words.
            bundle.onResolve({ filter: /^re2js$/ }, () => ({ path: "re2js", namespace: "when-used" }));
            bundle.onLoad({ filter: /.*/, namespace: "when-used" }, () => ({
              contents: `export const RE2JS = new Proxy({}, { get: (_, key) => require("./re2js.js").RE2JS[key] });`,
            }));
            bundle.onResolve({ filter: /^node:(?:child_process|crypto|os)$/ }, ({ path, namespace }) =>
              namespace === "when-called" ? { path, external: true } : { path, namespace: "when-called" },
            );
            bundle.onLoad({ filter: /.*/, namespace: "when-called" }, ({ path }) => ({
              contents: Object.keys(process.getBuiltinModule(path))
                .map((name) => `export const ${name} = (...given) => require("${path}").${name}(...given);`)
                .join("\n"),
            }));
            bundle.onResolve({ filter: /^\.\/re2js\.js$/, namespace: "when-used" }, ({ path }) => ({
              path,
              external: true,
            }));
            bundle.onResolve({ filter: /^(?:\.{1,2}|@tenterhook)\// }, ({ path, kind, resolveDir }) => {
              if (kind !== "dynamic-import") return undefined;
              const full = path.startsWith(".")
                ? join(resolveDir, path)
                : fileURLToPath(import.meta.resolve(path));
              if (!names.has(full)) names.set(full, nameOf(full, new Set(names.values())));
              return { path: `./${names.get(full)}.js`, external: true };
            });
          },
        },
      ],
    });
    inputs.push(...Object.keys(built.inputs));
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }\n');
  writeFileSync(join(folder, "LICENSES.txt"), licenses(inputs));
}

/** `clients/claude/index.ts` is called claude, `commands/dist/index.js` commands, and any other file what it is called. */
function nameOf(path, taken) {
  const file = basename(path).replace(/\.[jt]s$/, "");
  const name = file === "index" ? basename(dirname(path).replace(/\/dist$/, "")) : file;
  if (taken.has(name)) throw new Error(`two files of the bridge are called ${name}`);
  return name;
}

/** The licenses of the bundled packages. */
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
  throw new Error(`${folder} has no license file; bundled packages need one`);
}
