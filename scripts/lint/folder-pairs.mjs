// Reports folders of a package that import each other, types included. It is part of `npm run lint`, because Biome only finds cycles of
// files. Tests are not checked.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Folders whose own folders are checked too, together with the files beside them. Each is the steps of one pipeline. */
const PIPELINES = [join("packages", "bridges", "src", "call")];

/** `from "./file.ts"`, `import "./file.ts"` and `import("./file.ts")`. */
const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

const [root = fileURLToPath(new URL("../../", import.meta.url))] = process.argv.slice(2);
const sources = readdirSync(join(root, "packages")).map((name) => join("packages", name, "src"));
const errors = [...sources, ...PIPELINES].flatMap(checkFolders);
if (errors.length > 0) {
  console.error(errors.join("\n"));
  process.exitCode = 1;
}

function checkFolders(source) {
  return findPairs(source).map(([there, back]) => `Two folders import each other:\n  ${there}\n  ${back}`);
}

/** The first import of either of two folders that import each other. */
function findPairs(source) {
  const firsts = new Map();
  for (const { from, to, text } of findImports(source))
    if (!firsts.has(`${from}-${to}`)) firsts.set(`${from}-${to}`, { from, to, text });
  const pairs = [];
  for (const { from, to, text } of firsts.values()) {
    const back = firsts.get(`${to}-${from}`);
    if (from < to && back !== undefined) pairs.push([text, back.text]);
  }
  return pairs;
}

/** The imports from one folder directly under `source` to another. */
function findImports(source) {
  return findModules(source).flatMap((file) =>
    readFileSync(join(root, source, file), "utf8")
      .split("\n")
      .flatMap((line, index) => [...line.matchAll(IMPORT)].map(([, path]) => ({ path, line: index + 1 })))
      .map(({ path, line }) => {
        const imported = join(dirname(file), path);
        return {
          from: readFolder(source, file),
          to: readFolder(source, imported),
          text: `${join(source, file)}:${line} imports ${imported}`,
        };
      })
      .filter(({ from, to }) => from !== to && to !== undefined),
  );
}

/** Product files in folders under `source`; of a pipeline, also those directly in it. */
function findModules(source) {
  if (!existsSync(join(root, source))) return [];
  return readdirSync(join(root, source), { recursive: true })
    .filter(
      (file) =>
        readFolder(source, file) !== undefined && /\.tsx?$/.test(file) && !/\.test(-d)?\.tsx?$/.test(file),
    )
    .sort();
}

/** The folder of a file, unless it is outside of the source folder or, in a package, directly in it. */
function readFolder(source, file) {
  const [folder, ...rest] = file.split(sep);
  if (folder === "..") return undefined;
  return rest.length > 0 ? folder : PIPELINES.includes(source) ? "." : undefined;
}
