import { block, proceed, recover, skip, stop } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { askModel, callModel } from "./model-call.ts";
import type { HookedAnswer, HookedRequest } from "./model-port.ts";
import { newRun, plainPort } from "./testing/test-support.ts";

const request: HookedRequest = {
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hi" },
  ],
  systemPrompt: "Be brief.",
  model: "small",
};

describe("callModel", () => {
  test("sends the request as hooks changed it, and returns the answer as hooks changed it", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", () => proceed({ systemPrompt: "Be kind.", model: "large" }));
    hooks.on("after_llm", ({ text }) => proceed({ text: text.toUpperCase() }));
    const { port, requests } = plainPort(["hello"]);
    const answer = await callModel(newRun(hooks), request, port);
    expect(answer.text).toBe("HELLO");
    expect(requests[0]).toMatchObject({
      model: "large",
      systemPrompt: "Be kind.",
      messages: [{ role: "system", content: "Be kind." }, { role: "user" }],
    });
  });

  test("does not call a model whose answer a hook gave", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", () => skip("cached"));
    const { port, requests } = plainPort(["hello"]);
    expect((await callModel(newRun(hooks), request, port)).text).toBe("cached");
    expect(requests).toEqual([]);
  });

  test("rejects with the reason of a hook that refuses the call, which on_error hooks do not see", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", () => block("too expensive"));
    hooks.on("on_error", () => recover("never"));
    const { port } = plainPort(["hello"]);
    await expect(callModel(newRun(hooks), request, port)).rejects.toMatchObject({
      code: "model_call_refused",
      message: expect.stringContaining("too expensive"),
    });
  });

  test("calls the model again with the reason for which hooks refused its answer, only so often", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", ({ text }) => (text === "good" ? undefined : block("too short")));
    const { port, requests } = plainPort(["bad", "good"]);
    expect((await callModel(newRun(hooks), request, port)).text).toBe("good");
    expect(requests[1]?.messages.at(-1)).toEqual({
      role: "user",
      content: "Your last answer was refused: too short",
    });
    const hopeless = plainPort(["a", "b", "c"]);
    const run = newRun(hooks, { maxRefusals: 1 });
    await expect(callModel(run, request, hopeless.port)).rejects.toMatchObject({ code: "answer_refused" });
    expect(hopeless.requests).toHaveLength(2);
  });

  test("lets hooks recover a failed call, retries one that they suppress, and else rejects with its error", async () => {
    const hooks = createHooks();
    const unregister = hooks.on("on_error", () => recover("sorry"));
    expect((await callModel(newRun(hooks), request, plainPort([new Error("429")]).port)).text).toBe("sorry");
    unregister();
    const suppressing = hooks.on("on_error", () => recover());
    const retried = await callModel(newRun(hooks), request, plainPort([new Error("429"), "ok"]).port);
    expect(retried.text).toBe("ok");
    suppressing();
    await expect(callModel(newRun(hooks), request, plainPort([new Error("429")]).port)).rejects.toThrow(
      "429",
    );
  });

  test("fires after_llm for a call that was stopped, and rejects with the stored stop", async () => {
    const hooks = createHooks();
    const statuses: unknown[] = [];
    hooks.on("before_llm", () => stop("enough"));
    hooks.on("after_llm", ({ status }) => void statuses.push(status));
    const run = newRun(hooks);
    const rejection: unknown = await callModel(run, request, plainPort([]).port).catch((error) => error);
    expect(rejection).toBe(run.stopped?.error);
    expect(statuses).toEqual(["stopped"]);
  });

  test.each([
    ["text", () => withGetter("text", { toolUses: [] })],
    ["tool calls", () => ({ text: "", toolUses: [withGetter("input", { id: "1", name: "Shell" })] })],
    ["usage", () => ({ text: "", toolUses: [], usage: withGetter("inputTokens", { outputTokens: 1 }) })],
  ])("fires after_llm for an answer whose %s cannot be read", async (_part, createAnswer) => {
    const hooks = createHooks();
    const statuses: unknown[] = [];
    hooks.on("after_llm", ({ status }) => void statuses.push(status));
    const { port } = plainPort([createAnswer() as HookedAnswer]);
    await expect(callModel(newRun(hooks), request, port)).rejects.toThrow("no disk");
    expect(statuses).toEqual(["failed"]);
  });

  test("accepts an answer of a wrapper in place of the model's", async () => {
    const hooks = createHooks();
    hooks.around("around_llm", async (_ctx, next) => {
      await next({ model: "other" });
      return "wrapped";
    });
    const { port, requests } = plainPort(["hello"]);
    expect((await callModel(newRun(hooks), request, port)).text).toBe("wrapped");
    expect(requests[0]?.model).toBe("other");
  });
});

describe("askModel", () => {
  test.each([
    ["completed", undefined],
    ["skipped", "before_llm"],
    ["recovered", "on_error"],
  ] as const)("tells that an answer was %s", async (status, event) => {
    const hooks = createHooks();
    hooks.on("before_llm", () => (event === "before_llm" ? skip("mine") : undefined));
    hooks.on("on_error", () => recover("mine"));
    const { port } = plainPort([event === "on_error" ? new Error("overloaded") : "hello"]);
    const end = await askModel(newRun(hooks), request, port);
    expect(end).toMatchObject({ type: "answered", status });
  });

  test("keeps the error of the model when a hook recovers it with something else than an answer", async () => {
    const hooks = createHooks();
    hooks.on("on_error", () => recover(42));
    const error = new Error("overloaded");
    const { port } = plainPort([error]);
    await expect(askModel(newRun(hooks), request, port)).rejects.toBe(error);
    expect(error.cause).toMatchObject({ code: "bad_outcome" });
  });

  test("does not take the answer of a call for another purpose for that of the step", async () => {
    const run = newRun(createHooks());
    const { port } = plainPort(["a summary", "hello"]);
    await askModel(run, { ...request, context: { purpose: "compaction" } }, port);
    expect(run.steps.text).toBe("");
    await askModel(run, request, port);
    expect(run.steps.text).toBe("hello");
  });
});

function withGetter(field: string, others: object): object {
  const get = () => {
    throw new Error("no disk");
  };
  return Object.defineProperty({ ...others }, field, { enumerable: true, get });
}
