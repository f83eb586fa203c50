import { getEventListeners } from "node:events";
import { createHooks } from "@tenterhook/engine";
import { asParent, startRun } from "@tenterhook/engine/host";
import { expect, test } from "vitest";
import { withHooks } from "./index.ts";
import type { Agent, Model } from "./sdk.ts";
import { ANSWER, callModel, FakeAgent, FakeModel } from "./testing/fake-sdk.ts";

const CALL = { type: "function_call", name: "weather", callId: "c1", arguments: "{}" };
const RESULT = { type: "function_call_result", name: "weather", callId: "c1", output: "sunny" };

function setUp(respond?: ConstructorParameters<typeof FakeModel>[0]) {
  const hooks = createHooks();
  hooks.on("before_llm", () => undefined);
  const agent = withHooks(new FakeAgent({ model: new FakeModel(respond) }), hooks) as Agent;
  const { signal } = new AbortController();
  const count = () => getEventListeners(signal, "abort").length;
  return { agent, signal, count };
}

test("a run without our runner listens to the caller's signal until its last answer", async () => {
  const answers = [{ ...ANSWER, output: [CALL] }, ANSWER];
  const { agent, signal, count } = setUp(async () => answers.shift() ?? ANSWER);
  await callModel(agent, signal);
  expect(count()).toBe(1);
  await callModel(agent, signal, [CALL, RESULT]);
  expect(count()).toBe(0);
});

test("a streamed answer of such a run ends its listening, too", async () => {
  const { agent, signal, count } = setUp();
  const request = { input: "hi", tools: [], signal };
  for await (const event of (agent.model as Model).getStreamedResponse(request)) void event;
  expect(count()).toBe(0);
});

test("a failed model call of such a run ends its listening, and another attempt listens again", async () => {
  let calls = 0;
  const { agent, signal, count } = setUp(async () => {
    calls++;
    if (calls === 2) throw new Error("no connection");
    return { ...ANSWER, output: [{ ...CALL, callId: `c${calls}` }] };
  });
  await callModel(agent, signal);
  await expect(callModel(agent, signal, [CALL, RESULT])).rejects.toThrow("no connection");
  expect(count()).toBe(0);
  await callModel(agent, signal, [CALL, RESULT]);
  expect(count()).toBe(1);
});

test("another attempt of a nested run ends with the run around it", async () => {
  let calls = 0;
  const { agent } = setUp(async ({ signal }) => {
    calls++;
    if (calls === 2) throw new Error("no connection");
    if (calls === 3) {
      outer.abort(new Error("the outer run was stopped"));
      signal?.throwIfAborted();
    }
    return { ...ANSWER, output: [CALL] };
  });
  const outer = new AbortController();
  const parent = startRun(createHooks(), { agent: { id: "outer", name: "outer" }, signal: outer.signal });
  await asParent(parent, () => callModel(agent));
  await expect(callModel(agent, undefined, [CALL, RESULT])).rejects.toThrow("no connection");
  await expect(callModel(agent, undefined, [CALL, RESULT])).rejects.toThrow("the outer run was stopped");
});

test("a model call without hooks leaves no listener", async () => {
  const agent = withHooks(new FakeAgent(), createHooks()) as Agent;
  const { signal } = new AbortController();
  await callModel(agent, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
