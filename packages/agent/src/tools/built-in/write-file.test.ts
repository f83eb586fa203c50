import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, expect, test } from "vitest";
import { writeFileTool } from "./write-file.ts";

let workDir: string;
beforeEach(async () => {
  const made = temporaryFolder();
  workDir = made;
});

function write(file: string, content: string): Promise<string> {
  const context = { workDir, abortSignal: new AbortController().signal };
  return writeFileTool().execute({ file_path: file, content }, context);
}

async function modeOf(file: string): Promise<number> {
  return (await stat(join(workDir, file))).mode & 0o7777;
}

test("a new file is made, with the folders on its way, and nothing else", async () => {
  expect(await write("a/b/c.txt", "hällo\n")).toBe("Made a/b/c.txt (7 bytes).");
  expect(await readFile(join(workDir, "a/b/c.txt"), "utf8")).toBe("hällo\n");
  expect(await readdir(workDir, { recursive: true })).toEqual(["a", "a/b", "a/b/c.txt"]);
});

test("a file that exists is replaced, by an absolute path too", async () => {
  await write("file", "long contents");
  expect(await write(join(workDir, "file"), "short")).toBe("Replaced file (5 bytes).");
  expect(await readFile(join(workDir, "file"), "utf8")).toBe("short");
  expect(await readdir(workDir)).toEqual(["file"]);
});

test("an open handle of the old file keeps reading the old contents", async () => {
  await write("file", "old");
  const before = (await stat(join(workDir, "file"))).ino;
  await write("file", "new");
  expect((await stat(join(workDir, "file"))).ino).not.toBe(before);
});

test("permissions are kept, but no right to run as the owner", async () => {
  await writeFile(join(workDir, "run.sh"), "");
  await chmod(join(workDir, "run.sh"), 0o6751);
  await write("run.sh", "#!/bin/sh\n");
  expect(await modeOf("run.sh")).toBe(0o751);
});

test("a new file has the permissions that new files have", async () => {
  await writeFile(join(workDir, "theirs"), "");
  await write("ours", "");
  expect(await modeOf("ours")).toBe(await modeOf("theirs"));
});

test("a link to a file in the folder stays a link", async () => {
  await write("real/file", "old");
  await symlink("real/file", join(workDir, "link"));
  expect(await write("link", "new")).toBe("Replaced real/file (3 bytes).");
  expect(await readlink(join(workDir, "link"))).toBe("real/file");
  expect(await readFile(join(workDir, "real/file"), "utf8")).toBe("new");
});

test("a folder, the work folder among them, is not written over", async () => {
  await mkdir(join(workDir, "folder"));
  await expect(write("folder", "x")).rejects.toThrow('"folder" is a folder');
  await expect(write(".", "x")).rejects.toThrow('"." is a folder');
  await expect(write("", "x")).rejects.toThrow("is a folder");
});

test("a file is not taken for a folder", async () => {
  await write("file", "x");
  await expect(write("file/below", "y")).rejects.toThrow('"file/below" has a part that is not a folder');
  expect(await readFile(join(workDir, "file"), "utf8")).toBe("x");
});

test("a name that is as long as names may be can be written", async () => {
  const name = "n".repeat(255);
  await write(name, "x");
  expect(await readdir(workDir)).toEqual([name]);
});

test("calls at the same time each write the whole file", async () => {
  const contents = ["a", "b", "c", "d"].map((letter) => letter.repeat(100_000));
  await Promise.all(contents.map((content) => write("file", content)));
  expect(contents).toContain(await readFile(join(workDir, "file"), "utf8"));
  expect(await readdir(workDir)).toEqual(["file"]);
});

test("a call that was cancelled writes nothing", async () => {
  const context = { workDir, abortSignal: AbortSignal.abort() };
  const written = writeFileTool().execute({ file_path: "a/b", content: "x" }, context);
  await expect(written).rejects.toThrow("was cancelled");
  expect(await readdir(workDir)).toEqual([]);
});
