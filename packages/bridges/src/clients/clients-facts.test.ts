import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadClients } from "./index.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const page = read("docs/clients-facts.md");

/** The rows of the table, without its head. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(1)
  .map((line) => line.split("|").map((cell) => cell.trim()));

test.each(
  rows.map(
    ([, client, fact, code, namedTest]) => [`${client}: ${fact}`, code ?? "", namedTest ?? ""] as const,
  ),
)("%s: the code and the test that the page names are there", (_, code, namedTest) => {
  expect(existsSync(join(ROOT, code.replaceAll("`", "")))).toBe(true);
  const [, file = "", title = ""] = /^`([^`]+)`: (.+)$/.exec(namedTest) ?? [];
  expect(read(file)).toContain(`"${title}"`);
});

test("every client has a fact on the page", async () => {
  for (const { name } of await loadClients())
    expect(page).toMatch(new RegExp(`^\\| ${name.replace(/^(?:GitHub|Factory) | CLI$/g, "")}`, "m"));
});
