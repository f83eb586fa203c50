import { existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { sessionName } from "./session-name.ts";
import { WorkFolders } from "./work-folders.ts";

const LONG_AGO = new Date(Date.now() - 8 * 24 * 60 * 60 * 1_000);

test("a session has its own folder, which it finds again", async () => {
  const folders = new WorkFolders({ dataDir: temporaryFolder(), keepDays: 7 });
  const first = await folders.open("s1", false);
  writeFileSync(join(first.path, "notes"), "mine");
  await first.close();
  const again = await folders.open("s1", false);
  expect(again.path).toBe(first.path);
  expect(existsSync(join(again.path, "notes"))).toBe(true);
  expect((await folders.open("s2", false)).path).not.toBe(first.path);
  expect(statSync(first.path).mode & 0o777).toBe(0o700);
});

test("the folder of a session that cannot be resumed is removed with its last run", async () => {
  const folders = new WorkFolders({ dataDir: temporaryFolder(), keepDays: 7 });
  const [one, two] = [await folders.open("s1", true), await folders.open("s1", true)];
  await one.close();
  expect(existsSync(two.path)).toBe(true);
  await two.close();
  expect(existsSync(two.path)).toBe(false);
});

test("folders that were not used for days are removed, and none that is in use", async () => {
  const dataDir = temporaryFolder();
  const old = (path: string) => {
    mkdirSync(join(dataDir, path), { recursive: true });
    utimesSync(join(dataDir, path), LONG_AGO, LONG_AGO);
  };
  for (const path of ["work/old", "work/used"]) old(path);
  mkdirSync(join(dataDir, "work/new"));
  const folders = new WorkFolders({ dataDir, keepDays: 7 });
  await folders.open("used", false);
  const left = ["work/old", "work/used", "work/new"];
  expect(left.filter((path) => existsSync(join(dataDir, path)))).toEqual(["work/used", "work/new"]);
});

test("the age counts from the last run", async () => {
  const folders = new WorkFolders({ dataDir: temporaryFolder(), keepDays: 7 });
  const { path, close } = await folders.open("s1", false);
  utimesSync(path, LONG_AGO, LONG_AGO);
  await close();
  expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(60_000);
});

test("a shared folder is made when it is missing, and never removed", async () => {
  const workDir = join(temporaryFolder(), "project");
  const folders = new WorkFolders({ dataDir: temporaryFolder(), workDir, keepDays: 0 });
  const { path, close } = await folders.open("s1", true);
  await close();
  expect(path).toBe(workDir);
  expect(existsSync(workDir)).toBe(true);
});

test.each(["../x", "a/b", "..", "", "x".repeat(101), "a\0"])("the session id %j names no path", (id) => {
  expect(sessionName(id)).toMatch(/^[0-9a-f]{64}$/);
});
