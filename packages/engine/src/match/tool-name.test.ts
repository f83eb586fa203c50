import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { block } from "@tenterhook/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { globMatches, type Matcher, toolName } from "./matcher.ts";
import { PatternBudget } from "./pattern.ts";

describe("a tool's name", () => {
  test.each([
    ["Shell", "Shell", "yes"],
    ["Shell", "shell", "no"],
    ["Shell", "Shell2", "no"],
    ["Shell", "PowerShell", "no"],
    ["a.c", "abc", "no"],
    ["mcp__db__query", "mcp__db__query", "yes"],
    ["constructor", "__proto__", "no"],
  ])("written %s is matched exactly: %s is a %s", (pattern, name, expected) => {
    expect(toolName(pattern).plan("before_tool", name, new PatternBudget())).toBe(expected);
  });

  test.each([
    ["*", "anything", "yes"],
    ["*", "", "yes"],
    ["read_*", "read_", "yes"],
    ["read_*", "read_file", "yes"],
    ["read_*", "bread_file", "no"],
    ["*_file", "read_file", "yes"],
    ["*_file", "read_files", "no"],
    ["mcp__*__delete_*", "mcp__github__delete_repo", "yes"],
    ["mcp__*__delete_*", "mcp__github__create_repo", "no"],
    ["file?", "file1", "yes"],
    ["file?", "file", "no"],
    ["file?", "file10", "no"],
    ["*a*b*c*", "xxaxxbxxcxx", "yes"],
    ["a.*", "abc", "no"],
    ["[ab]*", "ab", "no"],
    ["(*", "(x", "yes"],
  ])("with * or ? is a glob over the whole name: %s against %s is a %s", (pattern, name, expected) => {
    expect(toolName(pattern).plan("before_tool", name, new PatternBudget())).toBe(expected);
  });

  test.each([
    ["/^(read|write)_/", "write_file", "yes"],
    ["/^(read|write)_/", "rewrite_file", "no"],
    ["/file/", "read_file_now", "yes"],
    ["/shell/", "Shell", "no"],
    ["/shell/i", "Shell", "yes"],
    ["/^b$/m", "a\nb", "yes"],
    ["/^b$/", "a\nb", "no"],
    ["/a.b/s", "a\nb", "yes"],
    ["/a.b/", "a\nb", "no"],
    ["/a\\/b/", "a/b", "yes"],
    ["/a/b/", "xa/by", "yes"],
    [/^read/i, "READ_file", "yes"],
    [/^read/g, "read_file", "yes"],
    ["/(?i)shell/", "SHELL", "yes"],
  ] as const)(
    "between slashes, or as a RegExp, is searched in the name: %s in %s is a %s",
    (pattern, name, expected) => {
      const matcher = toolName(pattern);
      expect(matcher.plan("before_tool", name, new PatternBudget())).toBe(expected);
      // A RegExp with the flag g keeps a position; a matcher must not.
      expect(matcher.plan("before_tool", name, new PatternBudget())).toBe(expected);
    },
  );

  test("that is absent matches nothing", () => {
    expect(toolName("*").plan("before_tool", undefined, new PatternBudget())).toBe("no");
  });

  test.each([
    ["/x/y", "bad_pattern", 'the unknown flag "y"'],
    ["/usr/bin", "bad_pattern", 'the unknown flag "b"'],
    ["/(/", "bad_pattern", "/(/"],
    ["/(?!read)/", "unsupported_pattern", "/(?!read)/"],
    [/(a)\1/, "unsupported_pattern", "/(a)\\1/"],
    ["", "bad_matcher", 'Use "*"'],
  ])("written %s is refused as %s, with the reason", (pattern, code, words) => {
    const register = () =>
      createHooks().on("before_tool", () => {}, { name: "guard", matcher: { tool: pattern } });
    expect(register).toThrow(expect.objectContaining({ code, hook: "guard", event: "before_tool" }));
    expect(register).toThrow(words);
  });
});

describe("a glob", () => {
  const glob = fc.string({ unit: fc.constantFrom("a", "b", ".", "*", "?"), maxLength: 12 });
  const name = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 16 });

  test("matches exactly what its regular expression matches", () => {
    fc.assert(
      fc.property(glob, name, (pattern, text) => {
        const source = pattern.replaceAll(".", "\\.").replaceAll(/\*+/g, ".*").replaceAll("?", ".");
        expect(globMatches(pattern, text)).toBe(new RegExp(`^${source}$`, "s").test(text));
      }),
      { numRuns: 2000 },
    );
  });

  test("matches every name that is made from it", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name), { minLength: 1, maxLength: 6 }), (parts) => {
        expect(globMatches(parts.map(([fixed]) => `${fixed}*`).join(""), parts.flat().join(""))).toBe(true);
      }),
    );
  });

  test("of many stars against a long name that almost fits takes no exponential time", () => {
    expect(globMatches(`${"*a".repeat(200)}*b`, "a".repeat(512))).toBe(false);
  });
});

describe("a name that a model invented", () => {
  test("of 10,000 characters does not slip past a guard with a regular expression", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("asked"), { matcher: "/shell$/i" });
    const dispatch = await hooks.dispatch("before_tool", {
      toolName: `${"x".repeat(10_000)}Shell`,
      toolInput: {},
    });
    expect(dispatch.action).toBe("refuse");
    expect(dispatch.trace.entries[0]?.matchUndecided).toBe(true);
  });

  test("of 10,000 characters does not slip past a guard that names what it lets through", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("asked"), { matcher: { tool: /^[^r]/ } });
    const dispatch = await hooks.dispatch("before_tool", { toolName: "x".repeat(10_000), toolInput: {} });
    expect(dispatch.action).toBe("refuse");
  });

  test("is planned once while it is used, and forgotten after enough others", async () => {
    const { hooks, planned } = counting();
    const call = (toolName: string) => hooks.dispatch("before_tool", { toolName, toolInput: {} });
    await call("first");
    await call("second");
    await call("first");
    expect(planned).toEqual(["first", "second"]);
    for (let index = 0; index < 10_000; index++) await call(`invented_${index}`);
    expect(planned.length).toBe(10_002);
    await call("first");
    expect(planned.at(-1)).toBe("first");
    expect(planned.length).toBe(10_003);
  });

  test("costs no memory once it is forgotten: 10,000 names of 10 KB leave less than a tenth of themselves", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => {}, { matcher: "read_*" });
    hooks.on("before_tool", () => {}, { matcher: "/write/" });
    const call = (index: number) =>
      hooks.dispatch("before_tool", { toolName: `${index}${"x".repeat(10_000)}`, toolInput: {} });
    for (let index = 0; index < 500; index++) await call(index);
    const before = usedHeap();
    for (let index = 500; index < 10_500; index++) await call(index);
    expect(usedHeap() - before).toBeLessThan(10_000_000);
  });

  test("does not change what the hooks for real names do, however many there were", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("shell"), { matcher: "Shell" });
    hooks.on("before_tool", () => block("reading"), { matcher: "read_*" });
    for (let index = 0; index < 1000; index++) {
      const call = (toolName: string) => hooks.dispatch("before_tool", { toolName, toolInput: {} });
      expect((await call(`invented_${index}`)).action).toBe("go_on");
      expect((await call("Shell")).reason).toBe("shell");
      expect((await call(`read_${index}`)).reason).toBe("reading");
    }
  });
});

/** Hooks with a matcher that notes the names it is asked to plan for. */
function counting() {
  const planned: (string | undefined)[] = [];
  const matcher: Matcher = {
    description: "counting",
    needsTool: true,
    plan(_, name) {
      planned.push(name);
      return "no";
    },
    match: () => "no",
  };
  const hooks = createHooks();
  hooks.on("before_tool", () => {}, { matcher });
  return { hooks, planned };
}

function usedHeap(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return getHeapStatistics().used_heap_size;
}
