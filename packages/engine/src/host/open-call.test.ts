import { block, proceed } from "@tenterhook/protocol";
import { expect, test } from "vitest";
import { createHooks, type Hooks } from "../hooks.ts";
import { OpenCall, type OpenCallForm } from "./open-call.ts";
import { newRun } from "./testing/test-support.ts";

function openCall(hooks: Hooks, form?: OpenCallForm): OpenCall {
  return new OpenCall(
    newRun(hooks),
    { toolName: "Shell", toolInput: { command: "ls" }, toolUseId: "1" },
    form,
  );
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
  const call = openCall(hooks);
  expect(await call.begin()).toEqual({ type: "execute", input: { command: "pwd" } });
  expect(await call.settle({ value: "done" })).toMatchObject({ type: "result", value: "done!" });
});

test("begins with the end of a call that hooks refuse, or whose preparation throws", async () => {
  const hooks = createHooks();
  const unregister = hooks.on("before_tool", () => block("not today"));
  expect(await openCall(hooks).begin()).toMatchObject({ type: "refused", reason: "not today" });
  unregister();
  const prepare = () => Promise.reject(new Error("no subagent"));
  const beginning = await openCall(hooks, { prepare }).begin();
  expect(beginning).toMatchObject({ type: "failed", error: new Error("no subagent") });
});

test("a wrapper that calls next again executes the tool again, with the input that it was given", async () => {
  const call = openCall(retrying());
  await call.begin();
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
  const call = openCall(hooks);
  await call.begin();
  const problem = 'a wrapper called next() again, but Everything executes this call of "Shell" only once.';
  const end = await call.settle(outcome);
  expect(end).toMatchObject({
    type: "failed",
    error: { code: "unsupported_hook", message: expect.stringContaining(problem) },
  });
  expect((end as { readonly error?: Error }).error?.cause).toEqual(outcome.error);
});

test("a wrapper that tries again after the preparation failed prepares the tool again", async () => {
  let attempts = 0;
  const prepare = (input: unknown) => {
    if (++attempts === 1) throw new Error("busy");
    return input;
  };
  const call = openCall(retrying(), { prepare });
  expect(await call.begin()).toEqual({ type: "execute", input: { command: "ls" } });
  expect(await call.settle({ value: "done" })).toMatchObject({ type: "result", value: "done" });
});

test("a suspended call has not ended, whatever a wrapper does", async () => {
  const hooks = retrying();
  const fired: string[] = [];
  hooks.on("after_tool_failure", () => void fired.push("after_tool_failure"));
  const call = openCall(hooks);
  await call.begin();
  call.isSuspended = true;
  const again = () => fired.push("executed again");
  expect([await call.settle({ value: undefined }, again), fired]).toEqual([undefined, []]);
});

test("a call that suspends itself when it is executed again has not ended either", async () => {
  const call = openCall(retrying());
  await call.begin();
  const end = await call.settle({ error: new Error("busy") }, () => {
    call.isSuspended = true;
  });
  expect(end).toBeUndefined();
});
