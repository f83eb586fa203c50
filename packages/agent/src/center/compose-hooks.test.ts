import { block, proceed } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../testing/index.ts";
import { createAgentCenter } from "./agent-center.ts";

const assistant = {
  id: "assistant",
  name: "Assistant",
  description: "",
  modelName: "gpt-4",
  instructions: "",
};

function centerWith(lists: object, script: Script = ["Hi!", "Hi!"]) {
  const center = createAgentCenter();
  const model = scriptedModel(script);
  center.registerModel("gpt-4", model);
  center.registerAgent({ ...assistant, ...lists });
  const session = center.createSession("assistant");
  const say = (message: string) => center.runAgent({ session, message });
  return { center, model, say };
}

test("a hook that is not enforced cannot be part of another, which could not record what it would have done", () => {
  const { center } = centerWith({});
  center.registerPreHook({ name: "pre", enforce: false }, () => block("no"));
  center.registerPostHook({ name: "post", enforce: false }, () => undefined);
  expect(() => center.composePreHooks("all", ["pre"])).toThrow("it is not enforced");
  expect(() => center.composePostHooks("all", ["post"])).toThrow("it is not enforced");
});

describe("a pre-hook made of several", () => {
  test("sets judging for its parts in the second judgement, and skips those with rejudge: false", async () => {
    const { center, say } = centerWith({ preHookNames: ["all"] });
    const seen: unknown[] = [];
    center.registerPreHook({ name: "counter", rejudge: false }, () => void seen.push("counter"));
    center.composePreHooks("all", [
      "counter",
      ({ judging }) => void seen.push(judging),
      ({ userMessage }) => proceed({ message: `${userMessage}!` }),
    ]);
    await say("Hello");
    expect(seen).toEqual(["counter", false, true]);
  });

  test("calls each part once with a message that a later hook changed", async () => {
    const { center, say } = centerWith({ preHookNames: ["all", "rewriter"] });
    const seen: unknown[] = [];
    center.composePreHooks("all", [
      ({ userMessage, judging }) => void seen.push([userMessage, judging]),
      ({ userMessage }) => proceed({ message: `${userMessage}!` }),
    ]);
    center.registerPreHook({ name: "rewriter" }, () => proceed({ message: "Bye" }));
    await say("Hello");
    expect(seen).toEqual([
      ["Hello", false],
      ["Hello!", true],
      ["Bye", true],
    ]);
  });

  test("runs them in order, by name or as functions, each with the message as changed by the others", async () => {
    const { center, model, say } = centerWith({ preHookNames: ["all"] });
    const seen: string[] = [];
    center.registerPreHook({ name: "trim" }, ({ userMessage }) => proceed({ message: userMessage.trim() }));
    center.composePreHooks("all", [
      "trim",
      ({ userMessage }) => void seen.push(userMessage),
      () => proceed(undefined, { context: "It is Sunday." }),
      ({ userMessage }) => proceed({ message: `${userMessage}!` }),
      () => proceed(undefined, { context: "It rains." }),
    ]);
    await say("  Hello  ");
    expect(seen).toEqual(["Hello", "Hello!"]);
    const asked = JSON.stringify(model.requests[0]?.messages.at(-1));
    expect(asked).toMatch(/Hello!.*It is Sunday\.\\nIt rains\./);
  });

  test("stops at the first that refuses, or throws", async () => {
    const { center, say } = centerWith({ preHookNames: ["all"] });
    const broken = new Error("broken");
    center.composePreHooks("all", [
      ({ userMessage }) => (userMessage === "" ? block("empty") : undefined),
      () => Promise.reject(broken),
      () => expect.unreachable("no hook is called after that"),
    ]);
    expect(await say("")).toMatchObject({ status: "stopped", reason: "empty" });
    await expect(say("Hello!")).rejects.toBe(broken);
  });

  test("calls the parts before a change once more, with the final message", async () => {
    const { center, say } = centerWith({ preHookNames: ["all"] });
    center.composePreHooks("all", [
      ({ userMessage }) => (userMessage.includes("secret") ? block("no secrets") : undefined),
      () => proceed({ message: "the secret" }),
    ]);
    expect(await say("Hello!")).toMatchObject({ status: "stopped", reason: "no secrets" });
  });

  test("is one hook: its own configuration applies, and the engine checks its answer", async () => {
    const { center, say } = centerWith({ preHookNames: ["late", "all"] });
    const order: string[] = [];
    center.registerPreHook({ name: "late" }, () => void order.push("late"));
    center.registerPreHook({ name: "logger", blocking: false }, () => void order.push("logger"));
    center.composePreHooks({ name: "all", priority: 1 }, ["logger", () => 5 as never]);
    await expect(say("Hello!")).rejects.toMatchObject({ code: "bad_outcome", hook: "all" });
    expect(order).toEqual(["logger"]);
  });

  test("is made of registered hooks only", () => {
    const { center } = centerWith({});
    center.registerPreHook({ name: "trim" }, () => undefined);
    center.registerPostHook({ name: "log" }, () => undefined);
    expect(() => center.composePreHooks("all", ["trim", "log"])).toThrow(
      /"log", which is not a known pre-hook.*there are trim.*Register the parts first/,
    );
    expect(() => center.composePostHooks("all", ["logs"])).toThrow(/did you mean "log"/);
    expect(center.preHook("all")).toBeUndefined();
  });
});

describe("a post-hook made of several", () => {
  test("runs them in order, and stops at the first that objects", async () => {
    const { center, say } = centerWith({ postHookNames: ["all"] });
    const seen: unknown[] = [];
    center.registerPostHook({ name: "note" }, (_context, run) => void seen.push(run.output));
    center.composePostHooks("all", [
      "note",
      async () => void seen.push("then"),
      () => block("rude"),
      () => expect.unreachable("no hook is called after that"),
    ]);
    const run = await say("Hello!");
    expect(seen).toEqual(["Hi!", "then"]);
    expect(run.acts).toMatchObject([{ hook: "all", reason: "rude" }]);
  });

  test("may run in the background, still in order", async () => {
    const { center, say } = centerWith({ postHookNames: ["all"] });
    const seen: string[] = [];
    center.composePostHooks({ name: "all", blocking: false, when: "always" }, [
      async () => {
        await new Promise(setImmediate);
        seen.push("first");
      },
      () => void seen.push("second"),
    ]);
    await say("Hello!");
    expect(seen).toEqual([]);
    await center.waitForBackgroundHooks();
    expect(seen).toEqual(["first", "second"]);
  });
});
