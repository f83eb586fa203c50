import { block, proceed } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "./hooks.ts";
import { mayChangeAnswer } from "./host/index.ts";

const shell = { toolName: "Shell", toolInput: { command: "ls" } };

describe("a set that inherits", () => {
  test("calls the hooks of both sets in one order: by priority, the inherited ones first among equals", async () => {
    const parent = createHooks();
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    parent.on("before_tool", note("parent"));
    const child = createHooks({ inherits: parent });
    child.on("before_tool", note("child, first"), { priority: 5 });
    child.on("before_tool", note("child"));
    parent.on("before_tool", note("parent, later"));
    parent.on("before_tool", note("parent, very first"), { priority: 10 });
    await child.dispatch("before_tool", shell);
    expect(order).toEqual(["parent, very first", "child, first", "parent", "parent, later", "child"]);
    expect(child.list("before_tool")).toHaveLength(5);
  });

  test("follows later registrations of inherited sets, and their removal, through several generations", async () => {
    const grandparent = createHooks();
    const child = createHooks({ inherits: createHooks({ inherits: grandparent }) });
    expect((await child.dispatch("before_tool", shell)).action).toBe("go_on");
    const undo = grandparent.on("before_tool", () => block("no"), { name: "elder" });
    expect(await child.dispatch("before_tool", shell)).toMatchObject({ action: "refuse", hook: "elder" });
    undo();
    expect((await child.dispatch("before_tool", shell)).action).toBe("go_on");
  });

  test("may inherit from several sets, and calls a hook that is inherited twice once", async () => {
    const root = createHooks();
    const order: string[] = [];
    root.on("before_tool", () => void order.push("root"));
    const left = createHooks({ inherits: root });
    left.on("before_tool", () => void order.push("left"));
    const right = createHooks({ inherits: root });
    right.on("before_tool", () => void order.push("right"));
    let traces = 0;
    root.onTrace(() => traces++);
    let prepared = 0;
    root.beforeEachDispatch(() => void prepared++);
    const heir = createHooks({ inherits: [{ from: left }, { from: right }] });
    await heir.dispatch("before_tool", shell);
    expect([order, traces, prepared]).toEqual([["root", "left", "right"], 1, 1]);
  });

  test("leaves the set above as it is", async () => {
    const parent = createHooks();
    const child = createHooks({ inherits: parent });
    child.on("before_tool", () => block("no"));
    expect((await parent.dispatch("before_tool", shell)).action).toBe("go_on");
    expect(parent.list()).toEqual([]);
  });

  test("does not call the hooks of the set above on excepted events", async () => {
    const parent = createHooks();
    parent.on(["before_tool", "before_stop"], () => block("no"));
    const child = createHooks({ inherits: [{ from: parent, except: ["before_stop"] }] });
    expect((await child.dispatch("before_tool", shell)).action).toBe("refuse");
    expect((await child.dispatch("before_stop", { stopReason: "done" })).action).toBe("go_on");
  });

  test("is wrapped by the wrappers of both, traced to the listeners of both, and prepared by the sources of both", async () => {
    const parent = createHooks();
    const child = createHooks({ inherits: parent });
    const seen: string[] = [];
    parent.around("around_tool", async (_ctx, next) => `parent(${await next()})`);
    child.around("around_tool", async (_ctx, next) => `child(${await next()})`);
    parent.onTrace(({ event }) => seen.push(`parent traces ${event}`));
    child.onTrace(({ event }) => seen.push(`child traces ${event}`));
    parent.beforeEachDispatch((event) => void seen.push(`parent prepares ${event}`));
    child.beforeEachDispatch((event) => void seen.push(`child prepares ${event}`));
    child.on("before_tool", () => undefined);
    await child.dispatch("before_tool", shell);
    expect(await child.call("around_tool", shell, () => "result")).toBe("parent(child(result))");
    expect(seen).toEqual([
      "parent prepares before_tool",
      "child prepares before_tool",
      "parent traces before_tool",
      "child traces before_tool",
    ]);
  });

  test("has background hooks that the set above waits for too", async () => {
    const parent = createHooks();
    const child = createHooks({ inherits: parent });
    let release = () => {};
    child.on("after_tool", () => new Promise<undefined>((resolve) => (release = () => resolve(undefined))), {
      mode: "background",
    });
    await child.dispatch("after_tool", { ...shell, toolResult: "ok" });
    expect([parent.pending, child.pending]).toEqual([1, 1]);
    const drained = parent.drain();
    await new Promise(setImmediate);
    release();
    expect(await drained).toBe(true);
    expect([parent.pending, child.pending]).toEqual([0, 0]);
  });

  test("reports failures that decide nothing where the set above does", async () => {
    const reported: string[] = [];
    const parent = createHooks({ report: ({ message }) => reported.push(message) });
    const child = createHooks({ inherits: parent });
    child.on("session_end", () => Promise.reject(new Error("disk full")), { name: "archiver" });
    await child.dispatch("session_end", {});
    expect(reported.join()).toMatch(/archiver.*disk full/);
  });
});

describe("a hook that only observes", () => {
  const answer = { messages: [], text: "Hello", toolUses: [] };

  test("lets an answer be shown while it is written; any other sync hook on it, or wrapper, does not", async () => {
    const hooks = createHooks();
    expect(await mayChangeAnswer(hooks)).toBe(false);
    hooks.on("after_llm", () => undefined, { observes: true });
    hooks.on("after_llm", () => undefined, { mode: "background" });
    hooks.around("around_llm", (_ctx, next) => next(), { observes: true });
    expect(await mayChangeAnswer(hooks)).toBe(false);
    const undo = hooks.on("after_llm", () => undefined);
    expect(await mayChangeAnswer(createHooks({ inherits: hooks }))).toBe(true);
    undo();
    hooks.around("around_llm", (_ctx, next) => next());
    expect(await mayChangeAnswer(hooks)).toBe(true);
  });

  test("is in error when it changes or refuses something after all", async () => {
    for (const outcome of [proceed({ text: "Bye" }), block("no")]) {
      const hooks = createHooks();
      hooks.on("after_llm", () => outcome, { name: "watcher", observes: true });
      const dispatch = await hooks.dispatch("after_llm", answer);
      expect(dispatch).toMatchObject({ action: "fail", error: { code: "outcome_not_allowed" } });
      expect(dispatch.reason).toMatch(/watcher.*observes: true/);
    }
  });

  test("as a wrapper cannot replace the result, and must let the call happen", async () => {
    const hooks = createHooks();
    const undo = hooks.around("around_tool", async (_ctx, next) => `${await next()}!`, { observes: true });
    expect(await hooks.call("around_tool", shell, () => "result")).toBe("result");
    undo();
    hooks.around("around_tool", () => "instead", { observes: true, name: "lazy" });
    await expect(hooks.call("around_tool", shell, () => "result")).rejects.toThrow(/lazy.*next/);
  });
});
