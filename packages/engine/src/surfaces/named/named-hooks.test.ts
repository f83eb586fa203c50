import { proceed } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "../../hooks.ts";
import { NamedHooks } from "./named-hooks.ts";

const agent = { id: "assistant", name: "Assistant" };
const before = { agent, session: { id: "s1" }, message: "Hello!" };
const after = {
  agent,
  session: { id: "s1" },
  userMessage: "Hello!",
  status: "completed",
  run: { durationMs: 1500 },
} as const;

describe("named hooks", () => {
  test("are found by name, and block by default", () => {
    const named = new NamedHooks();
    named.registerPreHook({ name: "validator" }, () => undefined);
    named.registerPostHook({ name: "logger", blocking: false }, () => undefined);
    expect(named.preHook("validator")?.config).toEqual({ name: "validator", blocking: true });
    expect(named.postHook("logger")?.config.blocking).toBe(false);
    expect([named.preHook("logger"), named.postHook("validator")]).toEqual([undefined, undefined]);
    expect([named.preHookNames, named.postHookNames]).toEqual([["validator"], ["logger"]]);
  });

  test("are given what a surface makes of the context, and it is made anew for each", async () => {
    const seen: unknown[] = [];
    const named = new NamedHooks(({ userMessage, agent: who }) => ({
      shout: userMessage.toUpperCase(),
      who,
    }));
    named.registerPreHook({ name: "rewriter" }, () => proceed({ message: "bye" }));
    named.registerPreHook({ name: "pre" }, (context) => void seen.push(context));
    named.registerPostHook({ name: "post" }, (context, run) => void seen.push(context, run.id));
    const hooks = createHooks();
    named.attach(hooks, { preHookNames: ["rewriter", "pre"], postHookNames: ["post"] });
    await hooks.dispatch("before_agent", before);
    await hooks.dispatch("after_agent", { ...after, run: { id: "r-1", durationMs: 1 } });
    expect(seen).toEqual([{ shout: "BYE", who: agent }, { shout: "HELLO!", who: agent }, "r-1"]);
  });

  test("run in the order of the agent's list, not of their registration", async () => {
    const named = new NamedHooks();
    const order: string[] = [];
    for (const name of ["a", "b", "c"]) {
      named.registerPreHook({ name }, async () => {
        await Promise.resolve();
        order.push(name);
      });
    }
    const hooks = createHooks();
    named.attach(hooks, { preHookNames: ["c", "a", "b"] });
    await hooks.dispatch("before_agent", before);
    expect(order).toEqual(["c", "a", "b"]);
  });

  test("an unknown name is an error that lists the known ones, and nothing is attached", () => {
    const named = new NamedHooks();
    named.registerPreHook({ name: "validator" }, () => undefined);
    const hooks = createHooks();
    expect(() => named.attach(hooks, { preHookNames: ["validator", "validatr"] })).toThrow(
      /no pre-hook is registered under "validatr".*There are: validator/,
    );
    expect(() => named.attach(hooks, { postHookNames: ["x"] })).toThrow(/None is registered/);
    expect(hooks.list()).toEqual([]);
  });

  test("a pre-hook that throws refuses the turn with its own error as the cause", async () => {
    const named = new NamedHooks();
    const invalid = new Error("Message cannot be empty");
    named.registerPreHook({ name: "input-validator" }, ({ userMessage }) => {
      if (userMessage === "") throw invalid;
    });
    const hooks = createHooks();
    named.attach(hooks, { preHookNames: ["input-validator"] });
    const dispatch = await hooks.dispatch("before_agent", { ...before, message: "" });
    expect(dispatch.action).toBe("refuse");
    expect(dispatch.error?.cause).toBe(invalid);
    expect((await hooks.dispatch("before_agent", before)).action).toBe("go_on");
  });

  test("hooks that do not block return at once, and their errors affect nothing", async () => {
    const named = new NamedHooks();
    const seen: string[] = [];
    const reported: string[] = [];
    named.registerPreHook({ name: "request-logger", blocking: false }, ({ userMessage }) => {
      seen.push(userMessage);
      throw new Error("log server is down");
    });
    const hooks = createHooks({ report: ({ message }) => reported.push(message) });
    named.attach(hooks, { preHookNames: ["request-logger"] });
    const dispatch = await hooks.dispatch("before_agent", before);
    expect([dispatch.action, seen]).toEqual(["go_on", []]);
    await hooks.drain();
    expect(seen).toEqual(["Hello!"]);
    expect(reported.join()).toMatch(/request-logger.*log server is down/);
  });

  test("pre- and post-hooks share the context and the metadata, and post-hooks get the run", async () => {
    const named = new NamedHooks();
    const seen: unknown[] = [];
    named.registerPreHook({ name: "start" }, (context) => {
      context.metadata.traceId = "t-1";
      return proceed({ message: context.userMessage.trim() });
    });
    named.registerPostHook({ name: "end" }, ({ agent: who, session, userMessage, metadata }, run) => {
      seen.push(who, session, userMessage, { ...metadata }, run.duration, run.status);
    });
    const hooks = createHooks();
    const undo = named.attach(hooks, { preHookNames: ["start"], postHookNames: ["end"] });
    const run = { metadata: {} };
    const dispatch = await hooks.dispatch("before_agent", { ...before, message: " Hello! " }, run);
    await hooks.dispatch("after_agent", after, run);
    expect(dispatch.payload.message).toBe("Hello!");
    expect(seen).toEqual([agent, { id: "s1" }, "Hello!", { traceId: "t-1" }, 1.5, "completed"]);
    undo();
    expect(hooks.list()).toEqual([]);
  });

  test("post-hooks run after completed runs unless `when` is set", async () => {
    const named = new NamedHooks();
    const ran: string[] = [];
    named.registerPostHook({ name: "default" }, () => void ran.push("default"));
    named.registerPostHook({ name: "on-failure", when: "failed" }, () => void ran.push("on-failure"));
    named.registerPostHook({ name: "always", when: "always" }, () => void ran.push("always"));
    const hooks = createHooks();
    named.attach(hooks, { postHookNames: ["default", "on-failure", "always"] });
    await hooks.dispatch("after_agent", after);
    await hooks.dispatch("after_agent", { ...after, status: "failed" });
    await hooks.dispatch("after_agent", { ...after, status: "stopped" });
    expect(ran).toEqual(["default", "always", "on-failure", "always", "always"]);
  });

  test("one that is registered again with replace: true takes the former's place in sets that are attached to after it", async () => {
    const named = new NamedHooks();
    const called: string[] = [];
    const register = (name: string, text: string) =>
      named.registerPreHook({ name }, () => void called.push(text), { replace: true });
    for (const name of ["a", "b"]) register(name, name);
    named.registerPostHook({ name: "end" }, () => void called.push("end"));
    const hooks = createHooks();
    const unregister = named.attach(hooks, { preHookNames: ["b", "a"], postHookNames: ["end"] });
    register("b", "B");
    named.registerPostHook({ name: "end", when: "failed" }, () => void called.push("END"), { replace: true });
    await hooks.dispatch("before_agent", before);
    expect(called.splice(0)).toEqual(["b", "a"]);
    unregister();
    named.attach(hooks, { preHookNames: ["b", "a"], postHookNames: ["end"] });
    await hooks.dispatch("before_agent", before);
    await hooks.dispatch("after_agent", after);
    await hooks.dispatch("after_agent", { ...after, status: "failed" });
    expect(called).toEqual(["B", "a", "END"]);
    expect(named.preHookNames).toEqual(["a", "b"]);
  });

  test("a replacement that is invalid leaves the former, and replace must be true or false", async () => {
    const named = new NamedHooks();
    const hook = () => undefined;
    named.registerPreHook({ name: "a" }, hook);
    const replace = { replace: true };
    expect(() => named.registerPreHook({ name: "a", priority: 1.5 }, hook, replace)).toThrow(/priority/);
    expect(() => named.registerPreHook({ name: "a" }, 5 as never, replace)).toThrow(/function/);
    expect(() => named.registerPreHook({ name: "a" }, hook, { replace: "yes" as never })).toThrow(
      /true or false/,
    );
    expect(() => named.registerPreHook({ name: "a" }, hook, { replac: true } as never)).toThrow(
      /no option "replac"/,
    );
    expect(() => named.registerPreHook({ name: "a" }, hook, { replace: false })).toThrow(
      /of this name already.*replace: true/,
    );
    expect(named.preHook("a")).toEqual({ config: { name: "a", blocking: true }, execute: hook });
  });

  test("refuses a nameless hook, a second one of a name, and what is no function", () => {
    const named = new NamedHooks();
    named.registerPreHook({ name: "a" }, () => undefined);
    expect(() => named.registerPreHook({ name: "" }, () => undefined)).toThrow(/needs a name/);
    expect(() => named.registerPreHook({ name: "a" }, () => undefined)).toThrow(/of this name already/);
    expect(() => named.registerPostHook({ name: "b" }, 5 as never)).toThrow(/function/);
  });

  test.each<[object, RegExp]>([
    [{ bloking: false }, /no field "bloking".*Did you mean blocking/],
    [{ when: "failed" }, /no field "when"/],
    [{ blocking: "no" }, /blocking must be true or false/],
    [{ priority: 1.5 }, /priority must be an integer/],
    [{ timeoutMs: 0 }, /timeoutMs must be milliseconds/],
  ])("a pre-hook with %o is refused when it is registered", (config, message) => {
    const named = new NamedHooks();
    expect(() => named.registerPreHook({ name: "a", ...config }, () => undefined)).toThrow(message);
    expect(named.preHookNames).toEqual([]);
  });

  test("a post-hook with an unknown `when` is refused when it is registered", () => {
    const wrong = { name: "a", when: "faild" as "failed" };
    expect(() => new NamedHooks().registerPostHook(wrong, () => undefined)).toThrow(/completed, failed/);
  });
});
