import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pages, ROOT, snippetsOf, writeProject } from "./snippets.ts";

test("every TypeScript snippet of the documentation compiles", () => {
  const snippets = pages()
    .flatMap(snippetsOf)
    .filter(({ language }) => language === "ts");
  expect(snippets.length).toBeGreaterThan(20);
  const prelude = readFileSync(new URL("./prelude.d.ts", import.meta.url), "utf8");
  const folder = writeProject(snippets, prelude);
  try {
    expect(compile(folder)).toBe("");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function compile(folder: string): string {
  try {
    execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder], {
      cwd: folder,
      encoding: "utf8",
    });
    return "";
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

test("every JavaScript snippet of the documentation can be parsed, and every JSON one too", () => {
  const snippets = pages().flatMap(snippetsOf);
  const broken = snippets.flatMap(({ page, line, language, code }) => {
    try {
      if (language === "js") parseModule(code);
      if (language === "json") JSON.parse(code);
      return [];
    } catch (error) {
      return [`${page}:${line}: ${error}`];
    }
  });
  expect(broken).toEqual([]);
});

/** Parses without running: `--check` reads a module from its standard input. */
function parseModule(code: string): void {
  execFileSync(process.execPath, ["--check", "--input-type=module"], {
    input: code,
    stdio: ["pipe", "ignore", "pipe"],
  });
}
