import { describe, expect, test } from "vitest";
import { threadTimeMs } from "../../engine/src/match/thread-time.ts";
import { formatEffect } from "./format-effect.ts";
import { readToolEffects } from "./tool-effects.ts";

const PLACE = { workDir: "/repo/app", home: "/home/me" };

function effectsOf(
  toolName: string,
  toolInput: Record<string, unknown>,
  more: object = {},
  options: object = {},
) {
  return readToolEffects({ toolName, toolInput, ...more }, { ...PLACE, ...options })?.map((effect) =>
    formatEffect(effect),
  );
}

describe("a call of a tool", () => {
  test.each<[string, Record<string, unknown>, readonly string[]]>([
    ["ReadFile", { file_path: "a.txt" }, ["reads /repo/app/a.txt (ReadFile a.txt)"]],
    ["ReadFile", { file_path: "~/.ssh/id_rsa" }, ["reads /home/me/.ssh/id_rsa (ReadFile ~/.ssh/id_rsa)"]],
    [
      "ReadFile",
      { files: [{ path: "a" }, "b"] },
      ["reads /repo/app/a (ReadFile a)", "reads /repo/app/b (ReadFile b)"],
    ],
    ["ReadFile", {}, ["reads a path that is not known (ReadFile)"]],
    ["WriteFile", { file_path: "../x", content: "rm -rf /" }, ["writes /repo/x (WriteFile ../x)"]],
    ["WriteFile", { file_path: "/dev/sda" }, ["writes to the device /dev/sda (WriteFile /dev/sda)"]],
    [
      "WriteFile",
      { file_path: "a'b $(reboot) *" },
      ["writes /repo/app/a'b $(reboot) * (WriteFile a'b $(reboot) *)"],
    ],
    ["WriteFile", { file_path: "-rf" }, ["writes /repo/app/-rf (WriteFile -rf)"]],
    [
      "EditFile",
      { file_path: "a", path: "b" },
      ["writes /repo/app/a (EditFile a)", "writes /repo/app/b (EditFile b)"],
    ],
    ["EditFile", { notebook_path: "n.ipynb" }, ["writes /repo/app/n.ipynb (EditFile n.ipynb)"]],
    [
      "EditFile",
      {
        input:
          "*** Begin Patch\n*** Update File: a\n*** Move to: b\n-x\n*** Delete File: c\n*** Add File: d\n+*** x\n*** End Patch",
      },
      [
        "writes /repo/app/a (EditFile a)",
        "writes /repo/app/b (EditFile b)",
        "deletes /repo/app/c (EditFile c)",
        "writes /repo/app/d (EditFile d)",
      ],
    ],
    ["DeleteFile", { file_path: "a" }, ["deletes /repo/app/a (DeleteFile a)"]],
    ["Grep", { pattern: "x", path: ".env" }, ["reads /repo/app/.env (Grep .env)"]],
    ["Grep", { pattern: "x" }, ["reads /repo/app (Grep)"]],
    ["Glob", { pattern: "~/.ssh/*" }, []],
    ["Subagent", { prompt: "rm -rf /" }, []],
    ["WebSearch", { query: "rm -rf /" }, []],
    ["WebFetch", { url: "https://example.com/x", prompt: "what is it" }, []],
    [
      "web_fetch",
      { url: "https://example.com/x", method: "POST", body: "y" },
      ["sends data to example.com (web_fetch https://example.com/x)"],
    ],
    [
      "web_fetch",
      { url: "https://example.com/x", method: "DELETE" },
      ["destroys the remote resource example.com (web_fetch https://example.com/x)"],
    ],
    ["Shell", { command: "rm -rf build" }, ["deletes /repo/app/build recursively (rm -rf build)"]],
    ["Shell", { command: ["bash", "-lc", "rm a"] }, ["deletes /repo/app/a (rm a)"]],
    ["Shell", { commands: ["rm a", "rm b"] }, ["deletes /repo/app/a (rm a)", "deletes /repo/app/b (rm b)"]],
    ["Shell", { command: "ls", script: "rm a" }, ["deletes /repo/app/a (rm a)"]],
    ["Shell", { command: "rm a", workdir: "sub" }, ["deletes /repo/app/sub/a (rm a)"]],
    ["Shell", { command: "rm a", working_directory: "/etc" }, ["deletes /etc/a (rm a)"]],
    ["Shell", { command: "rm a", workingDirectory: "/etc" }, ["deletes /etc/a (rm a)"]],
    ["Shell", { command: "rm", args: ["-rf", "/"] }, ["deletes / recursively (rm -rf /)"]],
    ["Shell", { command: "rm", args: ["a b"] }, ["deletes /repo/app/a b (rm a b)"]],
    ["Shell", { command: "rm", args: "-rf /" }, ["deletes / recursively (rm -rf /)"]],
    ["Shell", { command: "rm a", cwd: "~" }, ["deletes /home/me/a (rm a)"]],
    ["Shell", { url: "wss://example.com" }, []],
    ["Shell", {}, ["cannot be read: it has no command that is known (Shell)"]],
    ["Shell", { command: { rm: "a" } }, ["cannot be read: it has no command that is known (Shell)"]],
  ])("%s %j does %j", (tool, input, expected) => {
    expect(effectsOf(tool, input)).toEqual(expected);
  });

  test.each(["deploy", "constructor", "__proto__", "", "bash", "mcp__x__delete"])(
    "of a tool that is not known, %j, has none",
    (name) => {
      expect(effectsOf(name, { command: "rm a", file_path: "b" })).toBeUndefined();
    },
  );

  test("counts by each of the tool's names", () => {
    const expected = ["deletes /repo/app/a (rm a)"];
    expect(effectsOf("mcp__box__run", { command: "rm a" }, { aliases: ["Shell"] })).toEqual(expected);
    expect(effectsOf("patch", { file_path: "a" }, { aliases: ["WriteFile", "DeleteFile"] })).toEqual([
      "writes /repo/app/a (patch a)",
      "deletes /repo/app/a (patch a)",
    ]);
    const input = { input: "*** Begin Patch\n*** Delete File: a\n*** End Patch" };
    const aliases = ["WriteFile", "EditFile", "DeleteFile"];
    expect(effectsOf("apply_patch", input, { aliases })).toEqual(["deletes /repo/app/a (apply_patch a)"]);
  });

  test("counts by what effectsOf says in place of its names", () => {
    const options = {
      effectsOf: { run: "Shell", save: "WriteFile", ps: "powershell", ReadFile: "Glob", odd: "nonsense" },
    };
    expect(effectsOf("run", { command: "rm a" }, {}, options)).toEqual(["deletes /repo/app/a (rm a)"]);
    expect(effectsOf("save", { path: "a" }, {}, options)).toEqual(["writes /repo/app/a (save a)"]);
    expect(effectsOf("ps", { command: "Get-Content $x" }, {}, options)).toContainEqual(
      expect.stringContaining("cannot be read"),
    );
    expect(effectsOf("ReadFile", { file_path: "a" }, {}, options)).toEqual([]);
    expect(effectsOf("odd", { file_path: "a" }, {}, options)).toBeUndefined();
  });

  test("is read in the language of its shell", () => {
    const read = (aliases: readonly string[]) => effectsOf("Shell", { command: "rm $x" }, { aliases });
    expect(read([])).toEqual(["deletes a path that is not known (rm …)"]);
    for (const name of ["powershell", "PowerShell", "pwsh", "cmd", "mcp__win__Powershell-Tool"])
      expect(read([name])).toContainEqual(expect.stringContaining("it is no line of a POSIX shell"));
  });

  test("with an input that throws is one that cannot be read", () => {
    const input = Object.defineProperty({}, "file_path", {
      enumerable: true,
      get() {
        throw new Error("no");
      },
    });
    expect(effectsOf("ReadFile", input)).toEqual(["cannot be read: its input cannot be read (ReadFile)"]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      "ReadFile",
      { paths: Array.from({ length: 100_000 }, (_, index) => `a${index}`) },
      "it names too many files",
    ],
    [
      "EditFile",
      {
        input: `*** Begin Patch\n${"\n".repeat(100_000)}${Array.from({ length: 50_000 }, (_, index) => `*** Add File: a${index}`).join("\n")}`,
      },
      "it names too many files",
    ],
    ["Shell", { commands: Array.from({ length: 20_000 }, () => "ls") }, "it has too many lines"],
    [
      "Shell",
      { commands: Array.from({ length: 300 }, () => `echo ${"x".repeat(10_000)}`) },
      "it has too many lines",
    ],
    [
      "Shell",
      { commands: Array.from({ length: 20_000 }, () => "ls"), args: ["x".repeat(100_000)] },
      "it has too many lines",
    ],
  ])("%s with very much in it is bounded, and says so", (tool, input, reason) => {
    const started = threadTimeMs();
    expect(effectsOf(tool, input)?.at(-1)).toBe(`cannot be read: ${reason} (${tool})`);
    expect(threadTimeMs() - started).toBeLessThan(1_000);
  });

  test("with a path that is too long is about a path that is not known, or cannot be read", () => {
    expect(effectsOf("WriteFile", { file_path: `/${"x".repeat(5_000)}` })?.[0]).toMatch(
      /^writes a path that is not known/,
    );
    expect(effectsOf("WriteFile", { file_path: "x".repeat(200_000) })?.[0]).toMatch(
      /^cannot be read: it is too long/,
    );
  });
});
