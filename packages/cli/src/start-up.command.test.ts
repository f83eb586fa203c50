import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { type CommandRunOptions, CommandSandbox } from "./testing/command-sandbox.ts";

/** The source files of each chunk, written by the bundler. */
const CHUNKS: Readonly<Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>> = JSON.parse(
  readFileSync(new URL("../dist/chunks.json", import.meta.url), "utf8"),
);

/** Prints every loaded module to standard error. */
const PROBE = `data:text/javascript,${encodeURIComponent(`
  import { register } from "node:module";
  register("data:text/javascript," + encodeURIComponent(\`
    import { writeSync } from "node:fs";
    export async function load(url, context, next) {
      if (url.startsWith("file:")) writeSync(2, "loaded " + url + "\\\\n");
      return next(url, context);
    }
  \`));
`)}`;

/** The files that a command loads, and the packages in them. */
async function loadedBy(sandbox: CommandSandbox, args: readonly string[], options: CommandRunOptions = {}) {
  const { code, stderr } = await sandbox.run(args, { ...options, node: ["--import", PROBE] });
  const paths = [...stderr.matchAll(/^loaded file:(.*)$/gm)].map(([, path = ""]) => path);
  const files = paths.map((path) => basename(path));
  const inputs = files.flatMap((name) => Object.keys(CHUNKS[join("dist", "bin", name)]?.inputs ?? {}));
  const packages = new Set(inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1]));
  return { code, paths, files, packages };
}

test("--version loads the entry and nothing else", async () => {
  expect((await loadedBy(new CommandSandbox(), ["--version"])).files).toEqual(["tenterhook.js"]);
});

test("a command loads only its own chunk", async () => {
  const { files } = await loadedBy(new CommandSandbox(), ["list"]);
  const commands = files
    .map((name) => /^(.*)-[A-Z0-9]{8}\.mjs$/.exec(name)?.[1])
    .filter((name) => name !== "chunk");
  expect(commands.filter(Boolean)).toEqual(["list"]);
});

test.each([
  ["up", ["up", "--help"]],
  ["serve", ["serve", "--help"]],
  ["runners start", ["runners", "start", "--help"]],
  ["run", ["run", "--help"]],
  ["runs", ["runs", "--data", "missing"]],
  ["run NAME", ["run", "hello", "--data", "missing"]],
])("%s loads neither a database nor an SDK nor a schema before it needs one", async (_, args) => {
  const { paths, packages } = await loadedBy(new CommandSandbox(), args);
  expect(paths.length).toBeGreaterThan(2);
  expect(paths.filter((path) => !path.includes("/cli/dist/bin/"))).toEqual([]);
  expect([...packages]).not.toContain("zod");
});

const SHELL = ["--tool", "Shell", "--input", '{"command": "rm -rf /"}'];

test.each([
  ["explain", ["explain", "before_tool", ...SHELL], 0],
  ["try", ["try", "before_tool", ...SHELL], 2],
  ["list", ["list"], 0],
  ["prompt", ["prompt"], 0],
])("%s loads zod and yaml while the cache is cold, and neither once it is warm", async (_, args, code) => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { fields: ["matcher:", "  pattern: 'rm -rf'"], script: "echo no >&2; exit 2" });
  sandbox.hook("watcher", { scope: "user", trigger: "session_end", script: "exit 0" });
  const cold = await loadedBy(sandbox, args);
  expect(cold).toMatchObject({ code });
  expect([...cold.packages]).toEqual(expect.arrayContaining(["zod", "yaml"]));
  const warm = await loadedBy(sandbox, args);
  expect(warm).toMatchObject({ code });
  expect(warm.files.length).toBeGreaterThan(3);
  expect(
    [...warm.packages].filter((name) => name === "zod" || name === "yaml" || name === "smol-toml"),
  ).toEqual([]);
});
