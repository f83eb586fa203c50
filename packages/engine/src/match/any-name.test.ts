import { block, proceed } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { allOf, inputPattern, type MatcherLike, not } from "./matcher.ts";

const call = { toolName: "mcp__box__run", toolAliases: ["Shell"], toolInput: { command: "rm -rf x" } };

async function asked(matcher: MatcherLike | undefined, payload = call) {
  const hooks = createHooks();
  hooks.on("before_tool", () => block("asked"), { name: "guard", matcher });
  const { trace } = await hooks.dispatch("before_tool", payload);
  const explained = hooks.explain("before_tool", payload).hooks[0]?.runs;
  const entry = trace.entries[0];
  expect(explained).toBe(entry?.verdict === "block");
  return entry?.verdict === "block" ? (entry.matchedAs ?? "own name") : "no";
}

describe("a tool with an alias", () => {
  test.each<[string, MatcherLike | undefined, string]>([
    ["no matcher", undefined, "own name"],
    ["a matcher of its own name", "mcp__*", "own name"],
    ["a matcher of the alias", "Shell", "Shell"],
    ["a matcher of both", "/Shell|mcp__/", "own name"],
    ["a matcher of the alias and the input", allOf("Shell", inputPattern("rm")), "Shell"],
    ["a matcher of the alias and another input", allOf("Shell", inputPattern("ls")), "no"],
    ["a matcher that excludes the alias", not("Shell"), "own name"],
    ["a matcher that excludes its own name", not("mcp__*"), "Shell"],
    ["a matcher of another tool", "WriteFile", "no"],
  ])("is found by a hook with %s as expected", async (_, matcher, expected) => {
    expect(await asked(matcher)).toBe(expected);
  });

  test("has no influence on the plans for its own name", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("asked"), { matcher: "Shell" });
    const { toolAliases: _, ...plain } = call;
    expect((await hooks.dispatch("before_tool", call)).action).toBe("refuse");
    expect((await hooks.dispatch("before_tool", plain)).action).toBe("go_on");
    expect((await hooks.dispatch("before_tool", call)).action).toBe("refuse");
  });

  test("is judged again under its alias when a later hook changes the input", async () => {
    const hooks = createHooks();
    const matcher = allOf("Shell", inputPattern("rm"));
    hooks.on("before_tool", () => block("judged"), { priority: 1, matcher });
    hooks.on("before_tool", () => proceed({ toolInput: { command: "rm" } }), { matcher: "mcp__*" });
    const dispatch = await hooks.dispatch("before_tool", { ...call, toolInput: { command: "ls" } });
    expect(dispatch.reason).toBe("judged");
  });

  test("starts the background hooks of its alias", async () => {
    const hooks = createHooks();
    let calls = 0;
    hooks.on("before_tool", () => void calls++, { mode: "background", matcher: "Shell" });
    const { trace } = await hooks.dispatch("before_tool", call);
    await hooks.drain();
    expect([calls, trace.entries[0]?.matchedAs]).toEqual([1, "Shell"]);
  });
});
