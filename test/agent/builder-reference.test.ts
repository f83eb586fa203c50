import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${root}/docs/reference/builder.md`, "utf8");

/** What the page's tables name as tests: `file` › title, several of them divided by semicolons. */
const named = page
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .flatMap((line) => [...line.matchAll(/`([\w./-]+\.test\.ts)` › (.+?)(?=; `| \|$)/g)])
  .map(([, file = "", title = ""]) => [file, title] as const);

test("the page names tests", () => {
  expect(named.length).toBeGreaterThan(60);
});

test.each(named)("%s has the test: %s", (file, title) => {
  expect(sourceOf(file)).toContain(`"${title}"`);
});

function sourceOf(file: string): string {
  const candidates = [`${root}/test/agent/${file}`, `${root}/packages/agent/src/builder/${file}`];
  return candidates
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
}
