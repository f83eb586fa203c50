import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, describe, expect, test } from "vitest";
import { editFileTool } from "./write-file.ts";

let workDir: string;
beforeEach(async () => {
  const made = temporaryFolder();
  workDir = made;
});

function edit(old_string: string, new_string: string, replace_all = false): Promise<string> {
  const context = { workDir, abortSignal: new AbortController().signal };
  return editFileTool().execute({ file_path: "file", old_string, new_string, replace_all }, context);
}

async function contains(content: string | Buffer): Promise<void> {
  await writeFile(join(workDir, "file"), content);
}

const contents = (): Promise<string> => readFile(join(workDir, "file"), "utf8");

describe("an edit", () => {
  test("replaces what occurs once", async () => {
    await contains("one two three");
    expect(await edit("two", "2")).toBe("Replaced 1 occurrence in file.");
    expect(await contents()).toBe("one 2 three");
  });

  test("replaces every occurrence with replace_all", async () => {
    await contains("a-a-a");
    expect(await edit("a", "aa", true)).toBe("Replaced 3 occurrences in file.");
    expect(await contents()).toBe("aa-aa-aa");
  });

  test.each(["$&", "$1", "$$", "$`", "$'", "\\n", "$<name>"])("takes %s literally", async (text) => {
    await contains("x (y) x");
    await edit("(y)", text);
    expect(await contents()).toBe(`x ${text} x`);
    await edit(text, "a.*");
    expect(await contents()).toBe("x a.* x");
  });

  test("can remove text", async () => {
    await contains("keep this, not that");
    await edit(", not that", "");
    expect(await contents()).toBe("keep this");
  });

  test("keeps the file's permissions", async () => {
    await contains("x");
    await chmod(join(workDir, "file"), 0o750);
    await edit("x", "y");
    expect((await stat(join(workDir, "file"))).mode & 0o777).toBe(0o750);
  });

  test("sees what an edit at the same time wrote", async () => {
    await contains("1 2 3 4 5");
    await Promise.all(["1", "2", "3", "4", "5"].map((digit) => edit(digit, `<${digit}>`)));
    expect(await contents()).toBe("<1> <2> <3> <4> <5>");
  });

  test("is made although the one before it failed", async () => {
    await contains("a");
    const [failed, made] = await Promise.allSettled([edit("z", "y"), edit("a", "b")]);
    expect([failed.status, made.status]).toEqual(["rejected", "fulfilled"]);
    expect(await contents()).toBe("b");
  });
});

describe("an edit leaves as they are", () => {
  test("line ends with carriage returns, and makes its own like them", async () => {
    await contains("one\r\ntwo\r\nthree\r\n");
    await edit("one\ntwo", "1\n2\n2½");
    expect(await contents()).toBe("1\r\n2\r\n2½\r\nthree\r\n");
    await edit("three", "3\r\n4");
    expect(await contents()).toBe("1\r\n2\r\n2½\r\n3\r\n4\r\n");
  });

  test("mixed line ends, and takes each of them literally", async () => {
    await contains("one\r\ntwo\nthree");
    await expect(edit("one\ntwo", "x")).rejects.toThrow("does not occur");
    await edit("two\nthree", "2\n3");
    expect(await contents()).toBe("one\r\n2\n3");
  });

  test("a byte order mark", async () => {
    await contains("\uFEFFone\n");
    await edit("one", "1");
    expect(await contents()).toBe("\uFEFF1\n");
  });

  test("files that are no UTF-8, by refusing them", async () => {
    const bytes = Buffer.from("caf\xe9 au lait", "latin1");
    await contains(bytes);
    await expect(edit("lait", "milk")).rejects.toThrow('"file" is not UTF-8');
    expect(await readFile(join(workDir, "file"))).toEqual(bytes);
  });

  test("binary files, by refusing them", async () => {
    await contains("a\0b");
    await expect(edit("a", "b")).rejects.toThrow("binary");
  });
});

describe("an edit is refused", () => {
  test("when the text occurs more often, with the count", async () => {
    await contains("x x x");
    await expect(edit("x", "y")).rejects.toThrow('old_string occurs 3 times in "file", and must occur once');
    expect(await contents()).toBe("x x x");
  });

  test("when it is unclear which of two overlapping occurrences is meant", async () => {
    await contains("aaa");
    await expect(edit("aa", "b")).rejects.toThrow("occurs 2 times");
    await edit("aa", "b", true);
    expect(await contents()).toBe("ba");
  });

  test("when the text does not occur", async () => {
    await contains("one");
    await expect(edit("two", "2")).rejects.toThrow('old_string does not occur in "file"');
    await expect(edit("two", "2", true)).rejects.toMatchObject({ code: "tool_failed" });
  });

  test("when it would change nothing", async () => {
    await contains("one");
    await expect(edit("one", "one")).rejects.toMatchObject({ code: "bad_tool_input" });
    await expect(edit("", "x")).rejects.toThrow("WriteFile");
  });

  test("when there is no file", async () => {
    await expect(edit("a", "b")).rejects.toThrow('"file" does not exist');
  });
});
