import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import type { InputSchema } from "./built-in-tool.ts";
import { BUILT_IN_TOOL_NAMES, builtInTools } from "./built-in-tools.ts";
import { readFileTool } from "./read-file.ts";

test("all built-in tools exist, in the order of their names, unless only some are requested", () => {
  expect(Object.keys(builtInTools())).toEqual([...BUILT_IN_TOOL_NAMES]);
  expect(Object.keys(builtInTools({ only: ["Grep", "ReadFile"] }))).toEqual(["Grep", "ReadFile"]);
  expect(builtInTools({ only: [] })).toEqual({});
});

test.each(["Bash", "shell", "toString", "__proto__"])("%s is not the name of a built-in tool", (name) => {
  expect(() => builtInTools({ only: [name as never] })).toThrow(
    expect.objectContaining({ code: "bad_agent" }),
  );
});

test("invalid options of the shell are rejected at once", () => {
  expect(() => builtInTools({ shell: { timeoutMs: -1 } })).toThrow(
    expect.objectContaining({ code: "bad_timeout" }),
  );
});

test("a folder that is given counts, and not the call's", async () => {
  const workDir = temporaryFolder();
  await writeFile(join(workDir, "file"), "text");
  const context = { workDir: "/", abortSignal: new AbortController().signal };
  expect(await readFileTool({ workDir }).execute({ file_path: "file" }, context)).toBe("text");
});

/** Input that each tool takes, and with which values it would not. */
const INPUTS: Readonly<Record<string, { good: object; bad: object[] }>> = {
  Shell: { good: { command: "ls", timeout_ms: 5 }, bad: [{ command: "" }, { timeout_ms: 0 }] },
  ReadFile: {
    good: { file_path: "a", offset: 1, limit: 1 },
    bad: [{ offset: 0 }, { limit: 1.5 }, { file_path: 1 }],
  },
  WriteFile: { good: { file_path: "a", content: "" }, bad: [{ content: null }] },
  EditFile: {
    good: { file_path: "a", old_string: "b", new_string: "", replace_all: true },
    bad: [{ old_string: "" }, { replace_all: "yes" }],
  },
  Glob: { good: { pattern: "*", path: "a" }, bad: [{ pattern: "" }, { pattern: "x".repeat(1_001) }] },
  Grep: {
    good: { pattern: "a", path: "b", glob: "c", ignore_case: true, limit: 1_000 },
    bad: [{ limit: 0 }, { limit: 1_001 }, { glob: "" }],
  },
};

describe.each(BUILT_IN_TOOL_NAMES)("the schema of %s", (name) => {
  const schema = builtInTools()[name]?.inputSchema as InputSchema;
  const validate = new Ajv({ strict: true }).compile(schema);
  const { good, bad } = INPUTS[name] ?? { good: {}, bad: [] };

  test("takes every argument, and no other", () => {
    expect(Object.keys(good)).toEqual(Object.keys(schema.properties));
    expect(validate(good)).toBe(true);
    expect(validate({ ...good, other: 1 })).toBe(false);
  });

  test.each(bad)("refuses %o", (part) => {
    expect(validate({ ...good, ...part })).toBe(false);
  });

  test("misses what is required, and only that", () => {
    for (const key of Object.keys(good)) {
      const without = Object.fromEntries(Object.entries(good).filter(([name]) => name !== key));
      expect(validate(without), key).toBe(!schema.required.includes(key));
    }
  });

  test("explains every argument", () => {
    expect(Object.values(schema.properties).filter((field) => field.description === "")).toEqual([]);
  });
});
