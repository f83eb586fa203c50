import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

const folders: { ofTest?: string; ofFile: string; ofDescribe?: string } = { ofFile: temporaryFolder() };

test("a folder is new and empty", () => {
  folders.ofTest = temporaryFolder();
  expect(readdirSync(folders.ofTest)).toEqual([]);
  expect(folders.ofTest).not.toBe(folders.ofFile);
  mkdirSync(join(folders.ofTest, "below"));
  writeFileSync(join(folders.ofTest, "below", "file"), "");
});

test("a test's folder is gone with its content when the next test runs, and the file's is not", () => {
  expect(folders.ofTest).toBeDefined();
  expect(existsSync(folders.ofTest ?? "")).toBe(false);
  expect(existsSync(folders.ofFile)).toBe(true);
});

describe("in a describe block", () => {
  folders.ofDescribe = temporaryFolder();

  test("a folder lasts for the tests of the block", () => {
    expect(existsSync(folders.ofDescribe ?? "")).toBe(true);
  });
});

test("a describe block's folder is gone after the block", () => {
  expect(folders.ofDescribe).toBeDefined();
  expect(existsSync(folders.ofDescribe ?? "")).toBe(false);
});
