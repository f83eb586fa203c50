import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PAGE = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "docs", "reference", "run-hooks.md");

/** `[core](../../file.test.ts) › name of a test`, as the page writes it. */
const NAMED = /\[[^\]]+\]\(([^)]+\.test\.ts)\) › (.+?)(?=<br>| \|)/g;

const promises = [...readFileSync(PAGE, "utf8").matchAll(NAMED)].map(([, file = "", name = ""]) => ({
  file,
  name,
}));

test("the page of run hooks names tests", () => expect(promises.length).toBeGreaterThan(40));

test.each(promises)('the promise that $file keeps in "$name" has that test', ({ file, name }) => {
  expect(readFileSync(join(dirname(PAGE), file), "utf8")).toContain(name);
});
