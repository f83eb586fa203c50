import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, expect, test } from "vitest";
import { MAX_FILE_BYTES } from "./file-access.ts";
import { type ReadFileInput, readFileTool } from "./read-file.ts";

let workDir: string;
beforeEach(async () => {
  const made = temporaryFolder();
  workDir = made;
});

function read(input: Omit<ReadFileInput, "file_path"> = {}, file = "file"): Promise<string> {
  const context = { workDir, abortSignal: new AbortController().signal };
  return readFileTool().execute({ file_path: file, ...input }, context);
}

async function contains(content: string | Buffer): Promise<void> {
  await writeFile(join(workDir, "file"), content);
}

test.each(["one\ntwo\n", "one\ntwo", "\n", "\n\nthree", "ünïcödé 😀\n"])(
  "%j is given as it is",
  async (text) => {
    await contains(text);
    expect(await read()).toBe(text);
  },
);

test("an empty file is reported as empty", async () => {
  await contains("");
  expect(await read()).toBe("[the file is empty]");
});

test.each([
  [{ offset: 2 }, "b\nc\nd\n"],
  [{ offset: 4 }, "d\n"],
  [{ limit: 2 }, "a\nb\n[lines 1 to 2 of 4; go on with offset 3]"],
  [{ offset: 2, limit: 2 }, "b\nc\n[lines 2 to 3 of 4; go on with offset 4]"],
  [{ offset: 3, limit: 9 }, "c\nd\n"],
])("with %o, of four lines, these are given", async (input, expected) => {
  await contains("a\nb\nc\nd\n");
  expect(await read(input)).toBe(expected);
});

test("an offset after the end reports the number of lines", async () => {
  await contains("a\nb\n");
  await expect(read({ offset: 3 })).rejects.toThrow('offset 3 is after the end of "file", which has 2 lines');
});

test("of many lines the first 2,000 are returned, and the rest can be read with an offset", async () => {
  const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index + 1}`);
  await contains(lines.join("\n"));
  const first = await read();
  expect(first.endsWith("line 2000\n[lines 1 to 2000 of 3000; go on with offset 2001]")).toBe(true);
  expect(await read({ offset: 2_001 })).toBe(lines.slice(2_000).join("\n"));
});

test("of long lines as many are given as there is room for", async () => {
  await contains(`${"x".repeat(60_000)}\n${"y".repeat(60_000)}\nz`);
  expect(await read()).toBe(`${"x".repeat(60_000)}\n[lines 1 to 1 of 3; go on with offset 2]`);
  expect(await read({ offset: 2 })).toBe(`${"y".repeat(60_000)}\nz`);
});

test("a line that is longer than there is room for is cut, and not through a character", async () => {
  await contains(`x${"😀".repeat(100_000)}\nnext`);
  const text = await read();
  expect(text.startsWith(`x${"😀".repeat(49_999)}\n[line 1 is cut`)).toBe(true);
  expect(text.endsWith("it has 200001 characters; the next line is at offset 2]")).toBe(true);
});

test("byte order marks and carriage returns are not shown, unless line ends are mixed", async () => {
  await contains("\uFEFFone\r\ntwo\r\n");
  expect(await read()).toBe("one\ntwo\n");
  await contains("one\r\ntwo\n");
  expect(await read()).toBe("one\r\ntwo\n");
});

test("what is no UTF-8 is shown as far as it goes", async () => {
  await contains(Buffer.from("caf\xe9 au lait\n", "latin1"));
  expect(await read()).toBe("caf\uFFFD au lait\n");
});

test.each([
  ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00])],
  ["UTF-16", Buffer.from("\uFEFFhello", "utf16le")],
])("%s is refused as binary", async (_, bytes) => {
  await contains(bytes);
  await expect(read()).rejects.toThrow('"file" is a binary file');
});

test("a file that is too large is refused, with any content", async () => {
  await contains("x");
  await truncate(join(workDir, "file"), 2 ** 40);
  await expect(read()).rejects.toThrow(`files of more than ${MAX_FILE_BYTES} are not read`);
});

test("a file as large as is allowed is read", async () => {
  await contains("0123456789abcde\n".repeat(MAX_FILE_BYTES / 16));
  expect(await read({ offset: MAX_FILE_BYTES / 16 })).toBe("0123456789abcde\n");
});

test("a file that claims to be empty and is not is read", async () => {
  const context = { workDir: "/proc/self", abortSignal: new AbortController().signal };
  expect(await readFileTool().execute({ file_path: "status" }, context)).toContain("Pid:");
});

test("folders and what does not exist are refused by name", async () => {
  await mkdir(join(workDir, "folder"));
  await expect(read({}, "folder")).rejects.toThrow('"folder" is a folder');
  await expect(read({}, "no/such")).rejects.toThrow('"no/such" does not exist');
});

test("a link within the folder is followed", async () => {
  await contains("text");
  await symlink("file", join(workDir, "link"));
  expect(await read({}, "link")).toBe("text");
});

test("a call that was cancelled reads nothing", async () => {
  await contains("text");
  const context = { workDir, abortSignal: AbortSignal.abort() };
  await expect(readFileTool().execute({ file_path: "file" }, context)).rejects.toThrow("was cancelled");
});
