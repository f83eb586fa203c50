import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";

/** A way to damage a file that contains a JSON object. */
export type Damage = readonly [name: string, damage: (path: string) => void];

function content(text: string | Buffer): (path: string) => void {
  return (path) => writeFileSync(path, text);
}

function instead(make: (path: string) => void): (path: string) => void {
  return (path) => {
    rmSync(path, { recursive: true, force: true });
    make(path);
  };
}

/** Ways in which any file that is stored as JSON can be damaged. */
export const DAMAGES: readonly Damage[] = [
  ...["null", "[]", "7", '"text"', "true", "{}", "[[[{}]]]", "\u0000", " ", "", "{", "NaN", "[1,"].map(
    (text): Damage => [`that contains ${JSON.stringify(text)}`, content(text)],
  ),
  ["that is nested 200,000 deep", content(`${"[".repeat(200_000)}${"]".repeat(200_000)}`)],
  ["that is nested deep in objects", content(`${'{"hooks":'.repeat(5_000)}1${"}".repeat(5_000)}`)],
  ["larger than any", (path) => truncateSync(path, 64 * 1024 * 1024)],
  ["that is cut in the middle", (path) => truncateSync(path, readFileSync(path).length >> 1)],
  ["that is not UTF-8", content(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
  ["that is a folder", instead((path) => mkdirSync(path))],
  ["that is a link to itself", instead((path) => symlinkSync(path, path))],
  ["that is a link to nothing", instead((path) => symlinkSync(`${path}.missing`, path))],
  ["that is a link to a device", instead((path) => symlinkSync("/dev/zero", path))],
  ["that is a pipe", instead((path) => void execFileSync("mkfifo", [path]))],
];

/** A file whose JSON object has some fields replaced. */
export function withFields(fields: Readonly<Record<string, unknown>>): (path: string) => void {
  return (path) => {
    const before = JSON.parse(readFileSync(path, "utf8")) as object;
    writeFileSync(path, JSON.stringify({ ...before, ...fields }));
  };
}
