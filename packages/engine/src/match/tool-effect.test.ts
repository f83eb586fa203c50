import { ask, block, proceed } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks, type Hooks, type HooksOptions } from "../hooks.ts";
import { loadEffects } from "./call-effects.ts";
import { allOf, anyOf, inputPattern, type MatcherLike, not } from "./matcher.ts";

const WORK_DIR = "/repo/app";

function guarded(matcher: MatcherLike, options?: HooksOptions): Hooks {
  const hooks = createHooks(options);
  hooks.on("before_tool", () => block("refused"), { name: "guard", matcher });
  return hooks;
}

function dispatch(hooks: Hooks, command: string, more: object = {}) {
  return hooks.dispatch("before_tool", {
    toolName: "Shell",
    toolInput: { command },
    workDir: WORK_DIR,
    ...more,
  });
}

describe("a matcher of effects", () => {
  test.each<[string, MatcherLike, string, "refuse" | "go_on"]>([
    [
      "by what a command does, however it is written",
      { effect: "delete", path: "root" },
      "sudo rm -fr /",
      "refuse",
    ],
    ["not by words that it only prints", { effect: "delete" }, 'echo "rm -rf /"', "go_on"],
    ["with a tool that must match too", { tool: "WriteFile", effect: "delete" }, "rm a", "go_on"],
    ["with a pattern that must match too", { pattern: "--force", effect: "delete" }, "rm a", "go_on"],
    ["with all three", { tool: "Shell", pattern: "a", effect: "delete" }, "rm a", "refuse"],
    ["by one of a list", [{ effect: "power" }, { effect: "delete" }], "rm a", "refuse"],
    ["by none of a list", [{ effect: "power" }, "ReadFile"], "rm a", "go_on"],
    ["in a composition", allOf("Shell", not({ effect: "delete", path: "project" })), "rm a", "go_on"],
    [
      "outside of a composition",
      allOf("Shell", not({ effect: "delete", path: "project" })),
      "rm /etc/x",
      "refuse",
    ],
    ["by a folder of the project", { effect: "write", path: "src/**" }, "echo > src/a", "refuse"],
  ])("matches %s", async (_, matcher, command, action) => {
    expect((await dispatch(guarded(matcher), command)).action).toBe(action);
  });

  test("reads the input as an earlier hook changed it, and again for guards before the change", async () => {
    const hooks = guarded({ effect: "delete" });
    hooks.on("before_tool", () => proceed({ toolInput: { command: "rm a" } }), { priority: -1 });
    expect((await dispatch(hooks, "ls")).reason).toBe("refused");
  });

  test("matches a file tool, also after it ran", async () => {
    const hooks = createHooks();
    hooks.on("after_tool", () => block("seen"), { matcher: { effect: "write", path: "git" } });
    const call = { toolName: "WriteFile", toolInput: { file_path: ".git/config" }, workDir: WORK_DIR };
    expect((await hooks.dispatch("after_tool", { ...call, toolResult: "" })).reason).toBe("seen");
  });

  test("matches a tool by its alias, and by what effectsOf says of it", async () => {
    const matcher = { effect: "delete" } as const;
    const run = (hooks: Hooks, more: object) => dispatch(hooks, "rm a", { toolName: "run", ...more });
    expect((await run(guarded(matcher), {})).action).toBe("go_on");
    expect((await run(guarded(matcher), { toolAliases: ["Shell"] })).action).toBe("refuse");
    expect((await run(guarded(matcher, { effectsOf: { run: "Shell" } }), {})).action).toBe("refuse");
    const inheriting = createHooks({
      inherits: guarded(matcher, { effectsOf: { run: "Shell" } }),
      effectsOf: { x: "Shell" },
    });
    expect((await run(inheriting, {})).action).toBe("refuse");
    const call = { toolName: "run", toolInput: { command: "rm a" } };
    const options = { effectsOf: { run: "Shell" } };
    expect((await guarded(matcher).dispatch("before_tool", call, options)).action).toBe("refuse");
  });

  test("of a wrapper decides which calls are wrapped", async () => {
    const hooks = createHooks();
    hooks.around("around_tool", async (_, next) => `wrapped ${String(await next())}`, {
      matcher: { effect: "delete" },
    });
    const call = (command: string) =>
      hooks.call("around_tool", { toolName: "Shell", toolInput: { command } }, () => "result");
    expect([await call("rm a"), await call("ls")]).toEqual(["wrapped result", "result"]);
  });

  test("costs the calls of a dispatch one reading", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    for (const effect of ["delete", "delete.recursive"] as const)
      hooks.on("before_tool", ({ match }) => void seen.push(match?.effect), { matcher: { effect } });
    await dispatch(hooks, "rm -r a");
    expect(seen[0]).toBeDefined();
    expect(seen[0]).toBe(seen[1]);
  });
});

describe("a hook is told what its matcher matched", () => {
  test("with the target, in words", async () => {
    const hooks = createHooks();
    const told: unknown[] = [];
    const matcher = anyOf({ effect: "power" }, allOf("Shell", { effect: "delete", path: "system" }));
    hooks.on(
      "before_tool",
      async (context) => {
        await Promise.resolve();
        told.push(context.match);
      },
      { matcher },
    );
    await dispatch(hooks, "rm a /etc/x");
    expect(told).toEqual([
      expect.objectContaining({
        description: "deletes /etc/x (rm a /etc/x)",
        isUnreadable: false,
        target: expect.objectContaining({ path: "/etc/x" }) as unknown,
      }),
    ]);
  });

  test("and nothing where it matched by something else, or has no effect", async () => {
    const hooks = createHooks();
    const told: unknown[] = [];
    for (const matcher of ["Shell", anyOf("Shell", { effect: "delete" }), not({ effect: "power" })])
      hooks.on("before_tool", ({ match }) => void told.push(match), { matcher });
    await dispatch(hooks, "rm a");
    expect(told).toEqual([undefined, undefined, undefined]);
  });

  test("in a middleware, whose unchanged context changes nothing", async () => {
    const hooks = createHooks();
    hooks.use("before_tool", (context, next) => next(context), { matcher: { effect: "delete" } });
    const { payload, trace } = await dispatch(hooks, "rm a");
    expect(payload.toolInput).toEqual({ command: "rm a" });
    expect(trace.original).toBe(trace.final);
  });

  test("in the background, and where it is not enforced", async () => {
    const hooks = createHooks();
    const told: unknown[] = [];
    const listen = { matcher: { effect: "delete" } } as const;
    hooks.on("before_tool", ({ match }) => void told.push(match?.description), { ...listen, enforce: false });
    hooks.on("before_tool", ({ match }) => void told.push(match?.description), {
      ...listen,
      mode: "background",
    });
    await dispatch(hooks, "rm a");
    await hooks.drain();
    expect(told).toEqual(Array(2).fill("deletes /repo/app/a (rm a)"));
  });
});

describe("a line that cannot be read", () => {
  const LINE = "rm -rf $(";
  const matcher = { effect: "power" } as const;

  test("makes a question of a refusal, which is refused where no person can be asked", async () => {
    expect(await dispatch(guarded(matcher), LINE)).toMatchObject({ action: "refuse" });
    const asked: string[] = [];
    const approve = ({ reason }: { reason: string }) => {
      asked.push(reason);
      return { type: "approve" } as const;
    };
    const call = { toolName: "Shell", toolInput: { command: LINE } };
    expect((await guarded(matcher).dispatch("before_tool", call, { approve })).action).toBe("go_on");
    expect(asked).toEqual([expect.stringMatching(/^What this call does is not known: it cannot be read/)]);
  });

  test("is asked about once, whatever the rules would answer", async () => {
    const hooks = guarded(matcher);
    hooks.on("before_tool", async () => ask("really?"), { matcher: { effect: "delete", path: "root" } });
    hooks.on("before_tool", () => undefined, { matcher: { effect: "publish" } });
    hooks.on("before_tool", () => block("no"), { matcher: { effect: "publish" } });
    let questions = 0;
    const approve = () => {
      questions++;
      return { type: "approve" } as const;
    };
    const call = { toolName: "Shell", toolInput: { command: LINE } };
    expect((await hooks.dispatch("before_tool", call, { approve })).action).toBe("go_on");
    expect((await hooks.dispatch("before_tool", call, { approve })).action).toBe("go_on");
    expect(questions).toBe(2);
    expect((await hooks.dispatch("before_tool", call, { approve: () => ({ type: "reject" }) })).action).toBe(
      "refuse",
    );
  });

  test("is not decided by the question of a hook that is not enforced", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("no"), { matcher, enforce: false, priority: 1 });
    hooks.on("before_tool", () => block("no"), { matcher });
    expect((await dispatch(hooks, LINE)).action).toBe("refuse");
  });

  test("leaves a refusal by another matcher, a question for others and a rule that lets it pass as they are", async () => {
    const approve = () => ({ type: "approve" }) as const;
    const run = (hooks: Hooks) =>
      hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { command: LINE } }, { approve });
    expect((await run(guarded(anyOf(matcher, inputPattern("rm"))))).reason).toBe("refused");
    expect((await run(guarded([{ ...matcher, unreadable: "pass" }]))).action).toBe("go_on");
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("four eyes", { notBy: "requester" }), { matcher });
    expect((await run(hooks)).action).toBe("refuse");
  });
});

describe("explain", () => {
  const why = (matcher: MatcherLike, call: object) =>
    guarded(matcher).explain("before_tool", {
      toolName: "Shell",
      toolInput: {},
      workDir: WORK_DIR,
      ...call,
    } as never).hooks[0];

  test.each<[MatcherLike, object, boolean, string]>([
    [
      { effect: "delete", path: "root" },
      { toolInput: { command: "rm -fr /" } },
      true,
      "effect delete in root matches: deletes / recursively (rm -fr /)",
    ],
    [
      { effect: ["delete", "move"], notPath: ["scratch", "~/x"] },
      { toolInput: { command: "ls" } },
      false,
      "effect delete or move not in scratch or ~/x does not match",
    ],
    [{ effect: "power" }, { toolInput: { command: "rm $(" } }, true, "which is asked about"],
    [
      { effect: "delete" },
      { toolName: "deploy" },
      false,
      'effect delete does not match: what the tool deploy does is not known: effectsOf can say it, as { "deploy": "Shell" }',
    ],
    [{ effect: "delete" }, { toolName: "write_file" }, false, 'as { "write_file": "WriteFile" }'],
    [
      { tool: "Bash", effect: "delete" },
      {},
      false,
      "Bash is a coding agent's name of Shell, which hooks get",
    ],
  ])("says of %j and %j why it is called, or not", async (matcher, call, runs, words) => {
    await loadEffects();
    const explained = why(matcher, call);
    expect(explained?.runs).toBe(runs);
    expect(explained?.why).toContain(words);
  });

  test("needs no more than prepare", async () => {
    const hooks = guarded({ effect: "delete" });
    await hooks.prepare("before_tool");
    const call = { toolName: "Shell", toolInput: { command: "rm a" } };
    expect(hooks.explain("before_tool", call).hooks[0]?.why).toContain("effect delete matches");
  });
});

describe("a matcher of effects is refused", () => {
  test.each<[string, unknown, string]>([
    ["with a path and no effect", { path: "root" }, "a matcher with path has no effect."],
    ["with another field", { effect: "delete", not_path: "root" }, 'a matcher has no field "not_path".'],
    [
      "with an unknown effect",
      { effect: "remove" },
      'hook "guard" on before_tool: the matcher\'s effect "remove" cannot be used',
    ],
    ["with an unknown path set", [{ effect: "read", path: "secret" }], "Did you mean secrets?"],
    ["with an empty list", [], "this is not a matcher"],
    ["with undefined for everything", { effect: undefined }, "this is not a matcher"],
  ])("%s", (_, matcher, message) => {
    expect(() => guarded(matcher as MatcherLike)).toThrow(
      expect.objectContaining({
        code: "bad_matcher",
        message: expect.stringContaining(message) as string,
      }) as Error,
    );
  });

  test("on an event without a tool", () => {
    const register = () =>
      createHooks().on("before_agent", () => undefined, { matcher: { effect: "delete" } as never });
    expect(register).toThrow('this event has no tool for "effect delete"');
  });
});
