import { block, proceed } from "@tenterhook/protocol";
import { expect, test } from "vitest";
import { createHooks, type Hooks } from "../hooks.ts";
import { type OpenCall, type OpenCallPort, openCall } from "./open-call.ts";
import { newRun } from "./testing/test-support.ts";

function open(hooks: Hooks, port?: OpenCallPort): OpenCall {
  return openCall(newRun(hooks), { toolName: "Shell", toolInput: { command: "ls" }, toolUseId: "1" }, port);
}

/** Hooks with a wrapper that calls `next` again after a failure, once. */
function retrying(): Hooks {
  const hooks = createHooks({ report: () => undefined });
  hooks.around("around_tool", async (_call, next) => {
    try {
      return await next();
    } catch {
      return next();
    }
  });
  return hooks;
}

test("calls the hooks before and after a tool that the framework executes", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }));
  hooks.on("after_tool", ({ toolResult }) => proceed({ toolResult: `${toolResult}!` }));
  const call = open(hooks);
  expect(await call.start()).toEqual({ type: "run", input: { command: "pwd" } });
  expect(await call.settle({ value: "done" })).toMatchObject({ type: "result", value: "done!" });
});

test("begins with the end of a call that hooks refuse, or whose handing over throws", async () => {
  const hooks = createHooks();
  const unregister = hooks.on("before_tool", () => block("not today"));
  expect(await open(hooks).start()).toMatchObject({
    type: "ended",
    end: { type: "refused", reason: "not today" },
  });
  unregister();
  const handOver = () => Promise.reject(new Error("no subagent"));
  const start = await open(hooks, { handOver }).start();
  expect(start).toMatchObject({ type: "ended", end: { type: "failed", error: new Error("no subagent") } });
});

test("a wrapper that calls next again executes the tool again, with the input that it was given", async () => {
  const call = open(retrying());
  await call.start();
  const inputs: unknown[] = [];
  const end = await call.settle({ error: new Error("busy") }, (input) => {
    inputs.push(input);
    return "done";
  });
  expect(end).toMatchObject({ type: "result", value: "done" });
  expect(inputs).toEqual([{ command: "ls" }]);
});

test.each<[string, { error?: Error; value: unknown } | { error: Error }]>([
  ["failed", { error: new Error("busy") }],
  ["succeeded", { value: "done" }],
])("where the tool cannot be executed again, next rejects after it %s", async (_how, outcome) => {
  const hooks = createHooks({ report: () => undefined });
  hooks.around("around_tool", async (_call, next) => {
    await next().catch(() => undefined);
    return next();
  });
  const call = open(hooks);
  await call.start();
  const problem = 'a wrapper called next() again, but Everything executes this call of "Shell" only once.';
  const end = await call.settle(outcome);
  expect(end).toMatchObject({
    type: "failed",
    error: { code: "unsupported_hook", message: expect.stringContaining(problem) },
  });
  expect((end as { readonly error?: Error }).error?.cause).toEqual(outcome.error);
});

test("a wrapper that tries again after the handing over failed hands the call over again", async () => {
  let attempts = 0;
  const handOver = (input: unknown) => {
    if (++attempts === 1) throw new Error("busy");
    return input;
  };
  const call = open(retrying(), { handOver });
  expect(await call.start()).toEqual({ type: "run", input: { command: "ls" } });
  expect(await call.settle({ value: "done" })).toMatchObject({ type: "result", value: "done" });
});

const suspension = new Error("suspended");

test("a suspended call has not ended, whatever a wrapper does", async () => {
  const hooks = retrying();
  const fired: string[] = [];
  hooks.on("after_tool_failure", () => void fired.push("after_tool_failure"));
  const call = open(hooks);
  await call.start();
  call.pause(suspension);
  const again = () => fired.push("executed again");
  await expect(call.settle({ value: undefined }, again)).rejects.toBe(suspension);
  expect(fired).toEqual([]);
});

test("a call that suspends itself when it is executed again has not ended either", async () => {
  const call = open(retrying());
  await call.start();
  const settling = call.settle({ error: new Error("busy") }, () => call.pause(suspension));
  await expect(settling).rejects.toBe(suspension);
});
