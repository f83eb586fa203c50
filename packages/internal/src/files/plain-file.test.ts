import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replacePlainFile } from "./files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenterhook-plain-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a file is replaced beside what a process of the same number in another container writes", () => {
  const path = join(folder, "state", "trust.json");
  replacePlainFile(path, "old");
  mkdirSync(`${path}.${process.pid}`);
  replacePlainFile(path, "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a file that cannot be replaced leaves no draft behind", () => {
  mkdirSync(join(folder, "trust.json"));
  expect(() => replacePlainFile(join(folder, "trust.json"), "new")).toThrow();
  expect(readdirSync(folder)).toEqual(["trust.json"]);
});
