import { type AgentOptions, createAgent } from "@tenterhook/agent";
import { type Script, scriptedModel } from "@tenterhook/agent/testing";
import {
  type AfterIterationHookContext,
  type AfterToolHookContext,
  ConfigHooks,
  type HooksConfig,
  type ToolExecutionResult,
} from "@tenterhook/engine/config";
import { describe, expect, test } from "vitest";

const add = {
  inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
  execute: ({ a }: { a: number }) => a + 1,
};
const broken = {
  inputSchema: { type: "object" },
  execute: () => Promise.reject(Object.assign(new RangeError("out of paper"), { code: "EPAPER" })),
};
const callAdd = { toolCalls: [{ id: "c1", name: "add", input: { a: 1 } }] };
const callBroken = { toolCalls: [{ id: "c1", name: "broken", input: {} }] };
const failure = { success: false, error: "rate limit" };

/** Runs an agent and returns what later `afterTool` hooks, `onError`, `afterIteration` and the model received. */
async function shown(hooks: HooksConfig, call: Script[number] = callAdd, more: Partial<AgentOptions> = {}) {
  const after: ToolExecutionResult[] = [];
  const errors: Error[] = [];
  const iterations: ToolExecutionResult[] = [];
  const agent = createAgent({
    model: scriptedModel([call, "ok"]),
    tools: { add, broken },
    retryDelayMs: 0,
    ...more,
    hooks: {
      ...hooks,
      afterTool: [...(hooks.afterTool ?? []), ({ result }: AfterToolHookContext) => void after.push(result)],
      onError: [({ error }) => void errors.push(error), ...(hooks.onError ?? [])],
      afterIteration: [
        ({ toolCalls }: AfterIterationHookContext) =>
          void iterations.push(...toolCalls.map(({ result }) => result)),
      ],
    },
  });
  const run = await agent.run("Hi");
  const model = run.messages
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => (content as { output: unknown }[]).map(({ output }) => output));
  return { after, errors, iterations, model };
}

describe("a result with success: false is a failure", () => {
  test("from a beforeTool that skips: for afterTool, onError, afterIteration and the model", async () => {
    const seen = await shown({ beforeTool: [() => ({ skip: true, result: failure })] });
    expect(seen).toEqual({
      after: [failure],
      errors: [expect.objectContaining({ message: "rate limit" })],
      iterations: [failure],
      model: [{ type: "error-text", value: "rate limit" }],
    });
  });

  test("from an afterTool about a call that succeeded", async () => {
    const seen = await shown({ afterTool: [() => ({ result: failure })] });
    expect(seen).toEqual({
      after: [failure],
      errors: [expect.objectContaining({ message: "rate limit" })],
      iterations: [failure],
      model: [{ type: "error-text", value: "rate limit" }],
    });
  });

  test("which a later afterTool may turn into a success again", async () => {
    const seen = await shown({
      afterTool: [
        () => ({ result: failure }),
        ({ result }) => ({ result: { success: true, result: `${result.error}, so from the cache` } }),
      ],
    });
    const success = { success: true, result: "rate limit, so from the cache" };
    expect([seen.after, seen.errors, seen.iterations]).toEqual([[success], [], [success]]);
    expect(seen.model).toEqual([{ type: "text", value: success.result }]);
  });

  test("as the recovery of an onError: it replaces the error, and recovers nothing", async () => {
    const seen = await shown({ onError: [() => ({ recovery: failure })] }, callBroken);
    expect(seen.iterations).toEqual([failure]);
    expect(seen.model).toEqual([{ type: "error-text", value: "rate limit" }]);
  });

  test("also of a tool error with handled: true", async () => {
    const seen = await shown({ onError: [() => ({ handled: true, recovery: failure })] }, callBroken);
    expect([seen.iterations, seen.model]).toEqual([[failure], [{ type: "error-text", value: "rate limit" }]]);
  });

  test("as the recovery of a model error: the run fails with it", async () => {
    const hooks = { onError: [() => ({ recovery: { success: false, error: "no plan B" } })] };
    await expect(shown(hooks, { error: new Error("overloaded") })).rejects.toThrow("no plan B");
  });

  test("and what it has beside its error reaches hooks; without an error the model reads it", async () => {
    const detailed = { success: false, error: "rate limit", result: { retryAfter: 5 } };
    const seen = await shown({ beforeTool: [() => ({ skip: true, result: detailed })] });
    expect([seen.after, seen.iterations]).toEqual([[detailed], [detailed]]);
    const bare = { success: false, result: { retryAfter: 5 } };
    const wordless = await shown({ afterTool: [() => ({ result: bare })] });
    expect(wordless.model).toEqual([{ type: "error-json", value: { retryAfter: 5 } }]);
    expect(wordless.iterations).toMatchObject([bare]);
  });

  test("of a guard with rejudge: true about a changed input: the call does not run", async () => {
    let calls = 0;
    const model = scriptedModel([callAdd, "ok"]);
    const agent = createAgent({ model, tools: { add: { ...add, execute: () => ++calls } } });
    const config = new ConfigHooks(agent.hooks);
    const refusal = { skip: true, result: { success: false, error: "not that number" } };
    config.register("beforeTool", ({ input }) => (input.a === 666 ? refusal : undefined), { rejudge: true });
    config.register("beforeTool", () => ({ input: { a: 666 } }));
    const run = await agent.run("Go");
    expect(calls).toBe(0);
    expect(run.acts.at(-1)).toMatchObject({ action: "refuse", reason: "not that number" });
  });
});

describe("an error that afterTool enriches", () => {
  const enrich = ({ result }: AfterToolHookContext) =>
    result.success ? undefined : { result: { success: false, error: `${result.error}; try tray 2` } };

  test("is what later hooks, onError, afterIteration and the model see, with the name and code it had", async () => {
    const seen = await shown({ afterTool: [enrich] }, callBroken);
    const enriched = { success: false, error: "out of paper; try tray 2" };
    expect([seen.after, seen.iterations]).toEqual([[enriched], [enriched]]);
    expect(seen.errors).toMatchObject([
      { message: enriched.error, name: "RangeError", code: "EPAPER", cause: { message: "out of paper" } },
    ]);
    expect(seen.model).toEqual([{ type: "error-text", value: enriched.error }]);
  });

  test("gives way to another error that onError puts in its place", async () => {
    const seen = await shown(
      {
        afterTool: [enrich],
        onError: [({ error }) => ({ error: new Error(`${error.message}, or tray 3`) })],
      },
      callBroken,
    );
    expect(seen.iterations).toMatchObject([{ error: "out of paper; try tray 2, or tray 3" }]);
    expect(seen.model).toEqual([{ type: "error-text", value: "out of paper; try tray 2, or tray 3" }]);
  });

  test("also fires for a call that a hook blocked", async () => {
    const guard = () => Promise.reject(new Error("not today"));
    const seen = await shown({ beforeTool: [guard], afterTool: [enrich] });
    expect(seen.iterations).toMatchObject([
      { success: false, error: expect.stringMatching(/not today.*try tray 2$/) },
    ]);
    expect(seen.model).toMatchObject([
      { type: "execution-denied", reason: expect.stringMatching(/not today.*try tray 2$/) },
    ]);
  });

  test("that is handed back as it was stays the error that was thrown", async () => {
    const seen = await shown({ afterTool: [({ result }) => ({ result })] }, callBroken);
    expect(seen.errors[0]).toBeInstanceOf(RangeError);
  });
});

describe("afterTool does not fire for a call that never had its beforeTool", () => {
  test.each([
    ["of a tool that is not there", { toolCalls: [{ name: "gone", input: {} }] }, {}],
    ["with input that does not fit", { toolCalls: [{ name: "add", input: { a: "x" } }] }, {}],
    ["that permissions refuse", callAdd, { permissions: () => "no" }],
    [
      "that the provider made itself",
      {
        text: "Found.",
        toolCalls: [{ id: "p", name: "search", input: {}, executed: { result: 3, isError: false } }],
      },
      {},
    ],
  ])("%s", async (_, call, more) => {
    const asked: string[] = [];
    const { after, iterations } = await shown(
      { beforeTool: [({ toolName }) => void asked.push(toolName)] },
      call,
      more,
    );
    expect([asked, after, iterations.length]).toEqual([[], [], 1]);
  });

  test("and does for one that beforeTool blocked or skipped", async () => {
    const blocked = await shown({ beforeTool: [() => Promise.reject(new Error("no"))] });
    const skipped = await shown({ beforeTool: [() => ({ skip: true })] });
    expect([blocked.after.length, skipped.after]).toEqual([1, [{ success: true }]]);
  });
});
