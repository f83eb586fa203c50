import { describe, expect, test } from "vitest";
import { createHooks, type Hooks } from "../hooks.ts";
import { allOf, anyOf, inputPattern, type MatcherLike, not, predicate, toolName } from "../match/matcher.ts";
import { ConfigHooks } from "../surfaces/config/config-hooks.ts";

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

describe("explain says which name hooks get where a matcher in code has a coding agent's name of the tool", () => {
  const why = (matcher: MatcherLike, toolName = "Shell") => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined, { matcher });
    return hooks.explain("before_tool", { toolName, toolInput: {} }).hooks[0]?.why;
  };
  const never = predicate(() => {
    throw new Error("explain must not call it");
  }, "never called");

  test.each<[string, MatcherLike, string?]>([
    ["tool Bash does not match: Bash is a coding agent's name of Shell, which hooks get", "Bash"],
    [
      "tool run_shell_* does not match: run_shell_command is a coding agent's name of Shell, which hooks get",
      "run_shell_*",
    ],
    [
      "tool /^(Write|Task)$/ does not match: Task is a coding agent's name of Subagent, which hooks get",
      /^(Write|Task)$/,
      "Subagent",
    ],
    [
      "tool Bash and never called does not match: Bash is a coding agent's name of Shell, which hooks get",
      allOf("Bash", never),
    ],
  ])("%s", (expected, matcher, tool) => {
    expect(why(matcher, tool)).toBe(expected);
  });

  test("and nothing where it has none, or where the tool is one of the program", () => {
    expect(why("Bash", "ReadFile")).toBe("tool Bash does not match");
    expect(why("deploy")).toBe("tool deploy does not match");
    expect(why(not("Shell"))).toBe("not tool Shell does not match");
    expect(why("Bash", "Bash")).toBe("tool Bash matches");
    expect(why("Bash", "constructor")).toBe("tool Bash does not match");
    expect(why(predicate(() => false, "never"))).toBe("never does not match");
  });
});

describe("explain names the hooks that are called once before one that may change the value", () => {
  const named = (register: (hooks: Hooks) => void, command = "ls") => {
    const hooks = createHooks();
    register(hooks);
    const { hooks: explained } = hooks.explain("before_tool", { toolName: "Shell", toolInput: { command } });
    return explained.map(({ hook, calledOnceBefore }) => [hook.name, calledOnceBefore]);
  };
  const noop = () => undefined;

  test("whatever they were registered with", () => {
    expect(
      named((hooks) => {
        hooks.on("before_tool", noop, { name: "guard", priority: 3 });
        hooks.on("before_tool", noop, { name: "counter", priority: 2, rejudge: false });
        new ConfigHooks(hooks).register("beforeTool", noop, { name: "limiter", priority: -1 });
        hooks.use("before_tool", (_ctx, next) => next(), { name: "rewriter", rejudge: false });
        hooks.on("before_tool", noop, { name: "watcher", observes: true, priority: -1 });
        hooks.on("before_tool", noop, { name: "background", mode: "background", priority: -2 });
      }),
    ).toEqual([
      ["guard", undefined],
      ["counter", ["limiter", "rewriter"]],
      ["limiter", ["rewriter"]],
      ["rewriter", undefined],
      ["watcher", undefined],
      ["background", undefined],
    ]);
  });

  test("with those that match only what is changed, and without those of other tools", () => {
    const register = (hooks: Hooks) => {
      const once = { rejudge: false };
      hooks.on("before_tool", noop, { ...once, name: "no-rm", matcher: { pattern: "rm" } });
      hooks.on("before_tool", noop, { ...once, name: "reader", matcher: "read_*" });
      hooks.on("before_tool", noop, { ...once, name: "pusher", matcher: { pattern: "push" } });
      hooks.on("before_tool", noop, { ...once, name: "late", matcher: { pattern: "late" } });
    };
    expect(named(register)).toEqual([
      ["no-rm", undefined],
      ["reader", undefined],
      ["pusher", undefined],
      ["late", undefined],
    ]);
    expect(named(register, "git push")).toEqual([
      ["no-rm", ["pusher", "late"]],
      ["reader", undefined],
      ["pusher", ["late"]],
      ["late", undefined],
    ]);
  });

  test("and none where no hook is called again", () => {
    const hooks = createHooks();
    hooks.on(["before_stop", "after_tool_failure"], noop, { rejudge: false });
    hooks.on(["before_stop", "after_tool_failure"], noop);
    const failed = { toolName: "Shell", toolInput: {}, error: new Error("no") };
    const explained = [
      ...hooks.explain("before_stop", {} as never).hooks,
      ...hooks.explain("after_tool_failure", failed as never).hooks,
    ];
    expect(explained.filter(({ calledOnceBefore }) => calledOnceBefore !== undefined)).toEqual([]);
  });
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
