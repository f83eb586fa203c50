import { expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { inputPattern } from "../match/input-pattern.ts";
import { allOf, anyOf, not, predicate } from "../match/matcher.ts";
import { toolName } from "../match/tool-name.ts";

test("explain gives the order and the reasons, and runs nothing", () => {
  const hooks = createHooks();
  const never = () => {
    throw new Error("explain must not run a hook");
  };
  hooks.on("before_tool", never, { name: "everything" });
  hooks.on("before_tool", never, { name: "reader", matcher: "read_*" });
  hooks.on("before_tool", never, { name: "watcher", mode: "background", priority: 50 });
  hooks.on("before_tool", never, {
    name: "careful",
    priority: 9,
    matcher: allOf(
      anyOf(toolName("Shell"), "Bash"),
      not(inputPattern(/--dry-run/)),
      predicate(() => true, "in production"),
    ),
  });
  hooks.on("before_tool", never, {
    name: "odd",
    matcher: () => {
      throw new Error("odd");
    },
  });
  const { hooks: explained } = hooks.explain("before_tool", {
    toolName: "Shell",
    toolInput: { command: "deploy" },
  });
  expect(explained.map(({ hook, runs, why }) => [hook.name, runs, why])).toEqual([
    ["careful", true, "(tool Shell or tool Bash) and not input /--dry-run/ and in production matches"],
    ["everything", true, "it has no matcher"],
    ["reader", false, "tool read_* does not match"],
    ["odd", true, "its matcher throws (odd), which counts as a failure of the hook"],
    ["watcher", true, "it has no matcher"],
  ]);
});

test("a predicate that throws is a failure of its hook", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", () => undefined, {
    name: "odd",
    matcher: () => {
      throw new Error("odd");
    },
  });
  const dispatch = await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: {} });
  expect(dispatch).toMatchObject({ action: "refuse", error: { code: "matcher_threw", hook: "odd" } });
});
