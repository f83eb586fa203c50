import { mkdir, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, describe, expect, test } from "vitest";
import { threadTimeMs } from "../../../../engine/src/match/thread-time.ts";
import { type GrepInput, grepTool } from "./grep.ts";

let workDir: string;
beforeEach(async () => {
  const made = temporaryFolder();
  workDir = made;
});

async function file(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(workDir, path)), { recursive: true });
  await writeFile(join(workDir, path), content);
}

async function grep(pattern: string, input: Partial<GrepInput> = {}): Promise<string[]> {
  const context = { workDir, abortSignal: new AbortController().signal };
  return (await grepTool().execute({ pattern, ...input }, context)).split("\n");
}

describe("a search", () => {
  test("gives file, line and text of every line that matches, in the order of the paths", async () => {
    await file("b.txt", "no\nfind me\nno\nfind me too");
    await file("a/c.txt", "find me\n");
    expect(await grep("find")).toEqual(["a/c.txt:1: find me", "b.txt:2: find me", "b.txt:4: find me too"]);
  });

  test("reads lines one by one, with any line end", async () => {
    await file("crlf", "\uFEFFone\r\ntwo\r\n");
    await file("mixed", "one\r\nx\none");
    expect(await grep("^one$")).toEqual(["crlf:1: one", "mixed:1: one", "mixed:3: one"]);
    expect(await grep("one\\s+two")).toEqual(["[no matches]"]);
    expect(await grep("^$")).toEqual(["[no matches]"]);
  });

  test("is case-sensitive, unless ignore_case is set", async () => {
    await file("f", "Needle");
    expect(await grep("needle")).toEqual(["[no matches]"]);
    expect(await grep("needle", { ignore_case: true })).toEqual(["f:1: Needle"]);
  });

  test("can be about one file or one folder", async () => {
    await file("src/a", "x");
    await file("src/b", "x");
    await file("c", "x");
    expect(await grep("x", { path: "src" })).toEqual(["src/a:1: x", "src/b:1: x"]);
    expect(await grep("x", { path: "src/b" })).toEqual(["src/b:1: x"]);
    await expect(grep("x", { path: "nowhere" })).rejects.toThrow('"nowhere" does not exist');
  });

  test("can be about some files, by name anywhere or by path", async () => {
    await file("a.ts", "x");
    await file("src/b.ts", "x");
    await file("src/c.js", "x");
    expect(await grep("x", { glob: "*.ts" })).toEqual(["a.ts:1: x", "src/b.ts:1: x"]);
    expect(await grep("x", { glob: "src/*" })).toEqual(["src/b.ts:1: x", "src/c.js:1: x"]);
    expect(await grep("x", { glob: "/src/*.js" })).toEqual(["src/c.js:1: x"]);
    expect(await grep("x", { glob: "b.*", path: "src" })).toEqual(["src/b.ts:1: x"]);
  });

  test("does not look into node_modules and .git unless they are named", async () => {
    await file("node_modules/m/index.js", "x");
    await file(".git/HEAD", "x");
    expect(await grep("x")).toEqual(["[no matches]"]);
    expect(await grep("x", { path: "node_modules/m" })).toEqual(["node_modules/m/index.js:1: x"]);
  });
});

describe("a search is bounded", () => {
  test("by its limit, with a note only if there is more", async () => {
    await file("f", "x\n".repeat(150));
    const note = (limit: number) => `[there are more than ${limit} matches; narrow the search]`;
    expect((await grep("x")).slice(-2)).toEqual(["f:100: x", note(100)]);
    expect(await grep("x", { limit: 1 })).toEqual(["f:1: x", note(1)]);
    expect(await grep("x", { limit: 150 })).toHaveLength(150);
  });

  test("by the length of a line that is shown, and not through a character", async () => {
    await file("f", `x${"😀".repeat(1_000)}`);
    expect(await grep("x")).toEqual([`f:1: x${"😀".repeat(249)} …`]);
  });

  test("to text: binary files are passed over, and refused when they are named", async () => {
    await file("binary", "x\0x");
    await file("text", "x");
    expect(await grep("x")).toEqual(["text:1: x"]);
    await expect(grep("x", { path: "binary" })).rejects.toThrow("binary");
  });

  test("to files of some size, and counts those that were not searched", async () => {
    await file("huge", "x");
    await truncate(join(workDir, "huge"), 2 ** 40);
    await file("small", "x");
    expect(await grep("x")).toEqual(["small:1: x", "[files too large or not readable, and not searched: 1]"]);
    await expect(grep("x", { path: "huge" })).rejects.toThrow("are not read");
  });
});

describe("a pattern that a model wrote", () => {
  test.each(["(a+)+$", "(a|a)*b", "(.*a){20}$"])(
    "%s takes no time, though others would hang",
    async (pattern) => {
      await file("f", `${"a".repeat(300)}!\n`);
      const before = threadTimeMs();
      expect(await grep(pattern)).toEqual(["[no matches]"]);
      expect(threadTimeMs() - before).toBeLessThan(5_000);
    },
  );

  test("that takes too long on a line is skipped there, with a note", async () => {
    await file("f", `${"ab#".repeat(3_000_000)}\nfine: a${"b".repeat(50)}c\n`);
    expect(await grep("(a|b)*a(a|b){50}[c#]")).toEqual([
      `f:2: fine: a${"b".repeat(50)}c`,
      "[lines that took the pattern too long: 1]",
    ]);
  });

  test.each([
    ["(", "Check its brackets"],
    ["a(?=b)", "without look-around"],
    ["(a)\\1", "without look-around and back-references"],
  ])("and cannot be used (%s) is refused, with advice", async (pattern, advice) => {
    await expect(grep(pattern)).rejects.toMatchObject({ code: "bad_tool_input" });
    await expect(grep(pattern)).rejects.toThrow(`the pattern /${pattern}/ cannot be used. `);
    await expect(grep(pattern)).rejects.toThrow(advice);
  });
});

describe("a long search", () => {
  test("yields to other work, also within a file", async () => {
    await file("f", "some line of text\n".repeat(500_000));
    let turns = 0;
    let isSearching = true;
    const search = grep("(?i)nothing[a-z]+like this").finally(() => (isSearching = false));
    for (; isSearching; turns++) await nextTick();
    expect(await search).toEqual(["[no matches]"]);
    expect(turns).toBeGreaterThan(5);
  });

  test("ends when it is cancelled", async () => {
    await file("f", "some line of text\n".repeat(500_000));
    const controller = new AbortController();
    const context = { workDir, abortSignal: controller.signal };
    const search = grepTool().execute({ pattern: "nothing" }, context);
    controller.abort(new Error("the user left"));
    await expect(search).rejects.toMatchObject({ code: "tool_failed", cause: controller.signal.reason });
  });
});
