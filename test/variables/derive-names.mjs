// Writes names.txt: what could be a variable that steers an interpreter, by the programs and manuals of this machine. Capital names that
// stand alone in a binary, and those that a manual mentions. Run it where the interpreters are newer than those of the list:
// npm run variables:derive. Names that are in the list already stay.
import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const LIST = new URL("names.txt", import.meta.url);
const PROGRAMS = ["/bin/sh", "bash", "python3", "node", "perl", "env", "cat", "grep"];
const MANUALS = [
  "sh",
  "bash",
  "python3",
  "perl",
  "perlrun",
  "node",
  "ld.so",
  "environ",
  "locale",
  "malloc",
  "grep",
  "mallopt",
];

const run = (program, ...args) =>
  execFileSync(program, args, { encoding: "utf8", maxBuffer: 1e8, stdio: ["ignore", "pipe", "ignore"] });

/** A program's file; of a version manager's script, the program that it starts. */
function fileOf(program) {
  if (program === "node") return process.execPath;
  if (program === "python3")
    return realpathSync(run("python3", "-c", "import sys; print(sys.executable)").trim());
  return realpathSync(program.startsWith("/") ? program : run("which", program).trim());
}

function libraries(file) {
  return [...run("ldd", file).matchAll(/(\/\S+\.so\S*)/g)].map(([, path]) => realpathSync(path));
}

/** The names that stand alone between two NUL characters, or before an equals sign. */
function inBinary(path) {
  return readFileSync(path, "latin1").match(/(?<=\0)_{0,2}[A-Z][A-Z0-9_]{2,39}(?=[\0=])/g) ?? [];
}

function inText(text) {
  return (
    text
      .replaceAll(/\\f.|\\[&%]/g, "")
      .replaceAll("\\-", "-")
      .match(/\b_{0,2}[A-Z][A-Z0-9_]{2,39}\b/g) ?? []
  );
}

function manual(page) {
  try {
    const path = run("man", "-w", page).trim();
    return path.endsWith(".gz")
      ? gunzipSync(readFileSync(path)).toString("latin1")
      : readFileSync(path, "latin1");
  } catch {
    console.error(`No manual of ${page} on this machine.`);
    return "";
  }
}

const files = [...new Set(PROGRAMS.map(fileOf).flatMap((file) => [file, ...libraries(file)]))];
const documented = new Set([
  ...MANUALS.flatMap((page) => inText(manual(page))),
  ...inText(run("node", "--help")),
  ...inText(run("bash", "-c", "help; set")),
  ...files
    .filter((file) => file !== process.execPath && !/lib(?:crypto|ssl|python)/.test(file))
    .flatMap(inBinary),
]);
const all = new Set(files.flatMap(inBinary));
const known = readFileSync(LIST, { encoding: "utf8", flag: "a+" }).split("\n").filter(Boolean);
for (const line of known) (line.startsWith("-") ? all : documented).add(line.replace(/^-/, ""));
const lines = [
  ...[...documented].sort(),
  // Those of large binaries, most of which are no variables: the long run takes them.
  ...[...all]
    .filter((name) => !documented.has(name))
    .sort()
    .map((name) => `-${name}`),
];
writeFileSync(LIST, `${lines.join("\n")}\n`);
console.log(
  `${documented.size} names, and ${lines.length - documented.size} of large binaries, from ${files.length} files`,
);
