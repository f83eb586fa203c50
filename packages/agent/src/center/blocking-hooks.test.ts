import { block, proceed, TenterhookError } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { memorySessions } from "../sessions/memory-sessions.ts";
import { type Script, scriptedModel } from "../testing/index.ts";
import { createAgentCenter } from "./agent-center.ts";

const assistant = {
  id: "assistant",
  name: "Assistant",
  description: "Helpful assistant",
  modelName: "gpt-4",
  instructions: "You are a helpful assistant",
};

/** A center with one agent that lists the hooks `a`, `b` and `c`, which a test registers. */
function centerWith(script: Script, lists: object) {
  const sessions = memorySessions();
  const center = createAgentCenter({ sessions });
  const model = scriptedModel(script);
  center.registerModel("gpt-4", model);
  center.registerAgent({ ...assistant, ...lists });
  const session = center.createSession("assistant");
  return { center, model, sessions, session };
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const nextTick = () => new Promise(setImmediate);
const neverAsked = () => expect.unreachable("a hook that must not be asked");

describe("blocking pre-hooks", () => {
  test("run one after another, in the order of the agent's list", async () => {
    const { center, session } = centerWith(["Hi!"], { preHookNames: ["c", "a", "b"] });
    const order: string[] = [];
    for (const name of ["a", "b", "c"]) {
      center.registerPreHook({ name }, async () => {
        order.push(`${name} begins`);
        await nextTick();
        order.push(`${name} ends`);
      });
    }
    await center.runAgent({ session, message: "Hello!" });
    expect(order).toEqual(["c begins", "c ends", "a begins", "a ends", "b begins", "b ends"]);
  });

  test("propagate their errors to the caller as they were thrown, and no later hook runs", async () => {
    const { center, model, session } = centerWith(["Hi!"], { preHookNames: ["a", "b"] });
    class InvalidInput extends Error {}
    const invalid = new InvalidInput("Message cannot be empty");
    center.registerPreHook({ name: "a" }, ({ userMessage }) => {
      if (userMessage === "") throw invalid;
    });
    center.registerPreHook({ name: "b" }, neverAsked);
    await expect(center.runAgent({ session, message: "" })).rejects.toBe(invalid);
    expect(model.calls).toBe(0);
  });

  test.each([
    ["a text", "out of paper"],
    ["an error of the engine", new TenterhookError("budget_exhausted", "no more today.")],
  ])("propagate %s that they throw as it is", async (_, thrown) => {
    const { center, session } = centerWith(["Hi!"], { preHookNames: ["a"] });
    center.registerPreHook({ name: "a" }, () => Promise.reject(thrown));
    await expect(center.runAgent({ session, message: "Hello!" })).rejects.toBe(thrown);
  });

  test("keep the agent waiting until they have completed", async () => {
    const { center, model, session } = centerWith(["Hi!"], { preHookNames: ["a"] });
    const { opened, open } = gate();
    center.registerPreHook({ name: "a" }, () => opened);
    const running = center.runAgent({ session, message: "Hello!" });
    await nextTick();
    expect(model.calls).toBe(0);
    open();
    expect((await running).output).toBe("Hi!");
    expect(model.calls).toBe(1);
  });

  test("may rewrite the message, which later hooks, the model and post-hooks then see", async () => {
    const lists = { preHookNames: ["a", "b"], postHookNames: ["c"] };
    const { center, model, session } = centerWith(["Hi!"], lists);
    const seen: string[] = [];
    center.registerPreHook({ name: "a" }, ({ userMessage }) => proceed({ message: userMessage.trim() }));
    center.registerPreHook({ name: "b" }, ({ userMessage }) => void seen.push(userMessage));
    center.registerPostHook({ name: "c" }, ({ userMessage }) => void seen.push(userMessage));
    await center.runAgent({ session, message: "  Hello!  " });
    expect(seen).toEqual(["Hello!", "Hello!"]);
    expect(model.requests[0]?.messages.at(-1)).toEqual({ role: "user", content: "Hello!" });
  });

  test("may refuse, which is no error: the run is stopped, with the reason", async () => {
    const { center, model, session } = centerWith(["Hi!"], {
      preHookNames: ["a", "b"],
      postHookNames: ["c"],
    });
    center.registerPreHook({ name: "a" }, () => block("not on Sundays"));
    center.registerPreHook({ name: "b" }, neverAsked);
    center.registerPostHook({ name: "c" }, neverAsked);
    const run = await center.runAgent({ session, message: "Hello!" });
    expect(run).toMatchObject({ status: "stopped", stopReason: "refused", reason: "not on Sundays" });
    expect([model.calls, run.error]).toEqual([0, undefined]);
  });

  test("that take longer than their time are an error that names them", async () => {
    const { center, session } = centerWith(["Hi!"], { preHookNames: ["a"] });
    center.registerPreHook({ name: "a", timeoutMs: 1 }, () => new Promise(() => {}));
    await expect(center.runAgent({ session, message: "Hello!" })).rejects.toMatchObject({
      code: "hook_timeout",
      hook: "a",
    });
  });

  test("run by priority, and by the list among equals", async () => {
    const { center, session } = centerWith(["Hi!"], { preHookNames: ["a", "b", "c"] });
    const order: string[] = [];
    center.registerPreHook({ name: "a" }, () => void order.push("a"));
    center.registerPreHook({ name: "b" }, () => void order.push("b"));
    center.registerPreHook({ name: "c", priority: 10 }, () => void order.push("c"));
    await center.runAgent({ session, message: "Hello!" });
    expect(order).toEqual(["c", "a", "b"]);
  });
});

describe("blocking post-hooks", () => {
  test("run after the agent has completed, and are given the run", async () => {
    const order: string[] = [];
    const answer = () => {
      order.push("model");
      return { text: "Hi!", usage: { inputTokens: 3, outputTokens: 2 } };
    };
    const { center, session } = centerWith([answer], { postHookNames: ["a", "b"] });
    center.registerPostHook({ name: "b" }, () => void order.push("b"));
    center.registerPostHook({ name: "a" }, (_context, run) => {
      order.push("a");
      expect(run).toMatchObject({ status: "completed", output: "Hi!", stepCount: 1 });
      expect(run.error).toBeUndefined();
      expect(run.usage).toEqual({ inputTokens: 3, outputTokens: 2 });
      expect(run.duration).toBeGreaterThan(0);
    });
    const run = await center.runAgent({ session, message: "Hello!" });
    expect(order).toEqual(["model", "a", "b"]);
    expect(run.duration).toBeCloseTo(run.durationMs / 1000);
  });

  test("propagate their errors to the caller as they were thrown, and the run is stored", async () => {
    const { center, sessions, session } = centerWith(["Hi!"], { postHookNames: ["a", "b"] });
    const broken = new Error("the archive is full");
    center.registerPostHook({ name: "a" }, () => Promise.reject(broken));
    center.registerPostHook({ name: "b" }, neverAsked);
    await expect(center.runAgent({ session, message: "Hello!" })).rejects.toBe(broken);
    const stored = await sessions.load(session.sessionId);
    expect(stored?.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("keep the run waiting until they have completed", async () => {
    const { center, session } = centerWith(["Hi!"], { postHookNames: ["a"] });
    const { opened, open } = gate();
    let isOver = false;
    center.registerPostHook({ name: "a" }, () => opened);
    const running = center.runAgent({ session, message: "Hello!" }).then(() => (isOver = true));
    await nextTick();
    expect(isOver).toBe(false);
    open();
    await running;
  });

  test("come too late to refuse: it is recorded, where a person sees it", async () => {
    const { center, session } = centerWith(["Hi!"], { postHookNames: ["a"] });
    center.registerPostHook({ name: "a" }, () => block("rude"));
    const run = await center.runAgent({ session, message: "Hello!" });
    expect(run.status).toBe("completed");
    expect(run.acts).toEqual([{ event: "after_agent", hook: "a", action: "record", reason: "rude" }]);
  });

  test('run after completed runs, unless "when" is set', async () => {
    const lists = { preHookNames: ["guard"], postHookNames: ["done", "broken", "ended", "any"] };
    const script = ["Hi!", { error: new Error("no answer") }];
    const { center, session } = centerWith(script, lists);
    const ran: string[] = [];
    center.registerPreHook({ name: "guard" }, ({ userMessage }) =>
      userMessage === "" ? block("empty") : undefined,
    );
    center.registerPostHook({ name: "done" }, () => void ran.push("done"));
    center.registerPostHook({ name: "broken", when: "failed" }, (_context, run) => {
      ran.push(`broken: ${run.error?.message}`);
    });
    center.registerPostHook({ name: "ended", when: "stopped" }, () => void ran.push("ended"));
    center.registerPostHook({ name: "any", when: "always" }, (_context, run) => void ran.push(run.status));
    await center.runAgent({ session, message: "Hello!" });
    await expect(center.runAgent({ session, message: "Hello?" })).rejects.toThrow("no answer");
    await center.runAgent({ session, message: "" });
    expect(ran).toEqual(["done", "completed", "broken: no answer", "failed", "ended", "stopped"]);
  });

  test("that act on failures see what a pre-hook threw, and cannot hide it", async () => {
    const { center, session } = centerWith([], { preHookNames: ["a"], postHookNames: ["b"] });
    const first = new Error("first");
    let seen: unknown;
    center.registerPreHook({ name: "a" }, () => Promise.reject(first));
    center.registerPostHook({ name: "b", when: "failed" }, (_context, { error }) => {
      seen = error;
      throw new Error("second");
    });
    await expect(center.runAgent({ session, message: "Hello!" })).rejects.toBe(first);
    expect(seen).toBe(first);
  });
});
