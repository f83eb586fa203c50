import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, expect, test } from "vitest";
import { globTool } from "./glob.ts";

let workDir: string;
beforeEach(async () => {
  const made = temporaryFolder();
  workDir = made;
});

async function files(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(workDir, path)), { recursive: true });
    await writeFile(join(workDir, path), "");
  }
}

async function glob(pattern: string, path?: string): Promise<string[]> {
  const context = { workDir, abortSignal: new AbortController().signal };
  const listed = await globTool().execute({ pattern, ...(path !== undefined && { path }) }, context);
  return listed.split("\n");
}

test("files are listed sorted by their whole path, hidden ones included, folders not", async () => {
  await files("b", "a/z", "a-b/x", "a.b", "a/b/c", ".hidden/x", "B");
  const listed = await glob("**");
  expect(listed).toEqual([".hidden/x", "B", "a-b/x", "a.b", "a/b/c", "a/z", "b"]);
  expect(listed).toEqual([...listed].sort());
});

test("a pattern is about paths from the folder that is looked in, and paths are given from the work folder", async () => {
  await files("src/a.ts", "src/lib/b.ts", "a.ts");
  expect(await glob("*.ts")).toEqual(["a.ts"]);
  expect(await glob("src/*.ts")).toEqual(["src/a.ts"]);
  expect(await glob("*/*.ts")).toEqual(["src/a.ts"]);
  expect(await glob("*.ts", "src/lib")).toEqual(["src/lib/b.ts"]);
  expect(await glob("../*.ts", "src/lib")).toEqual(["src/a.ts"]);
  expect(await glob("./src//a.ts")).toEqual(["src/a.ts"]);
  expect(await glob(`${workDir}/src/**`)).toEqual(["src/a.ts", "src/lib/b.ts"]);
});

test("node_modules and .git are looked into only when they are named", async () => {
  await files("a.js", ".git/config", "node_modules/x/a.js", "deep/node_modules/x/a.js", "node_modules.md");
  expect(await glob("**")).toEqual(["a.js", "node_modules.md"]);
  expect(await glob("*/x/a.js")).toEqual(["[no files match]"]);
  expect(await glob("node_modules/x/*")).toEqual(["node_modules/x/a.js"]);
  expect(await glob("**", "node_modules")).toEqual(["node_modules/x/a.js"]);
});

test("a link that the pattern begins with is followed within the folder", async () => {
  await files("real/a.ts");
  await symlink("real", join(workDir, "link"));
  expect(await glob("link/*")).toEqual(["real/a.ts"]);
  expect(await glob("l*/*")).toEqual(["[no files match]"]);
});

test("of very many files the first 1,000 are listed, with a note", async () => {
  await files(...Array.from({ length: 1_001 }, (_, index) => `f${String(index).padStart(4, "0")}`));
  const listed = await glob("**");
  expect(listed).toHaveLength(1_001);
  expect(listed.at(-2)).toBe("f0999");
  expect(listed.at(-1)).toBe("[there are more than 1000 files; give a narrower pattern]");
});

test("a folder that does not exist has no files when the pattern names it, and is an error when path does", async () => {
  await files("file");
  expect(await glob("no/such/*")).toEqual(["[no files match]"]);
  expect(await glob("file/*")).toEqual(["[no files match]"]);
  await expect(glob("*", "no/such")).rejects.toThrow('"no/such" does not exist');
  await expect(glob("*", "file")).rejects.toThrow('"file" is not a folder');
});

test.each(["", "src/", "/", ".", "*/../x", "a{"])("the pattern %j is refused", async (pattern) => {
  await expect(glob(pattern)).rejects.toMatchObject({ code: "bad_tool_input" });
});

test("a walk that is cancelled ends", async () => {
  await files("a/b/c", "a/d/e");
  const controller = new AbortController();
  const listed = globTool().execute({ pattern: "**" }, { workDir, abortSignal: controller.signal });
  controller.abort();
  await expect(listed).rejects.toThrow("was cancelled");
});
