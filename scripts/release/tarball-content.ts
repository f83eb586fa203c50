import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Tarball } from "./pack.ts";

const UNWANTED = /\.tsbuildinfo$|\.test(-d)?\.|\.DS_Store$|^coverage\//;

/** What is wrong with the files in a tarball, a line each. */
export function contentProblems({ manifest, file }: Tarball): readonly string[] {
  const folder = mkdtempSync(join(dirname(file), "content-"));
  execFileSync("tar", ["-xzf", file, "-C", folder, "--strip-components=1"]);
  const files = new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }));
  const missing = ["README.md", "LICENSE"].filter((name) => !files.has(name));
  const unwanted = [...files].filter((name) => UNWANTED.test(name));
  const readme = files.has("README.md") ? readFileSync(join(folder, "README.md"), "utf8") : "";
  return [
    ...missing.map((name) => `${name} is missing`),
    ...unwanted.map((name) => `${name} should not be published`),
    ...(readme.includes("npm install") ? [] : ["its README has no install line"]),
    ...danglingMaps(folder, files),
  ].map((problem) => `${manifest.name}: ${problem}`);
}

/** Source maps whose sources are not shipped. */
function danglingMaps(folder: string, files: ReadonlySet<string>): readonly string[] {
  return [...files]
    .filter((name) => name.endsWith(".map"))
    .flatMap((name) => {
      const { sources } = JSON.parse(readFileSync(join(folder, name), "utf8")) as {
        sources: readonly string[];
      };
      return sources
        .map((source) => join(dirname(name), source))
        .filter((source) => !files.has(source))
        .map((source) => `${name} refers to ${source}, which is not shipped`);
    });
}
