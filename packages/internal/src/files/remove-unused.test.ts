import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeUnused, removeUnusedDaily } from "./files.ts";

const DAY_S = 24 * 60 * 60;

function makeFolder(): string {
  const root = mkdtempSync(join(tmpdir(), "tenterhook-unused-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "sessions");
  mkdirSync(folder);
  return folder;
}

function addOld(folder: string, name = "old"): string {
  const path = join(folder, name);
  mkdirSync(path);
  utimesSync(path, new Date(0), new Date(0));
  return path;
}

test("folders that were not changed for 30 days are removed, and others stay", () => {
  const folder = makeFolder();
  addOld(folder);
  mkdirSync(join(folder, "recent"));
  removeUnused(folder);
  expect(readdirSync(folder)).toEqual(["recent"]);
});

test("within a day of the last removal nothing is looked at", () => {
  const folder = makeFolder();
  removeUnusedDaily(folder);
  const old = addOld(folder);
  for (let nth = 0; nth < 100; nth++) removeUnusedDaily(folder);
  expect(existsSync(old)).toBe(true);
});

test.each([
  ["two days ago", -2 * DAY_S],
  ["in the future", 2 * DAY_S],
])("after a removal %s the next one removes again", (_, seconds) => {
  const folder = makeFolder();
  removeUnusedDaily(folder);
  const time = Date.now() / 1_000 + seconds;
  utimesSync(`${folder}.swept`, time, time);
  const old = addOld(folder);
  removeUnusedDaily(folder);
  expect(existsSync(old)).toBe(false);
  const later = addOld(folder, "later");
  removeUnusedDaily(folder);
  expect(existsSync(later)).toBe(true);
});

test("a folder that does not exist is no error", () => {
  const missing = join(makeFolder(), "missing", "sessions");
  expect(() => removeUnusedDaily(missing)).not.toThrow();
});
