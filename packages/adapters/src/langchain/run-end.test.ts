import { HumanMessage } from "@langchain/core/messages";
import type { Hooks } from "@tenterhook/engine";
import { createAgent, createMiddleware, type ReactAgent } from "langchain";
import { expect, describe as group, test } from "vitest";
import { hooksMiddleware } from "./middleware.ts";
import { withRunEnd } from "./run-end.ts";
import { converse, echoCall, scriptedAgent } from "./testing/run-agent.ts";
import { ScriptedModel } from "./testing/scripted-model.ts";

/** Records how runs end: `failed: the reason`. */
function recordEnds(hooks: Hooks): string[] {
  const ends: string[] = [];
  hooks.on("after_agent", ({ status, error }) => {
    ends.push(`${status}: ${error?.message ?? "no error"}`);
  });
  return ends;
}

function failing(hook: "beforeModel" | "afterModel") {
  return createMiddleware({
    name: "failing",
    [hook]: () => {
      throw new Error("disk full");
    },
  });
}

/** An agent with hooks, behind which another middleware fails. */
function failingAgent(hook: "beforeModel" | "afterModel") {
  let ends: string[] = [];
  const { hooks } = scriptedAgent([], (set) => {
    ends = recordEnds(set);
  });
  const agent = createAgent({
    model: new ScriptedModel(["done", "done"]),
    middleware: [hooksMiddleware(hooks, { events: "all" }), failing(hook)],
  });
  return { agent, ends };
}

const state = { messages: [new HumanMessage("hello")] };

async function read(stream: AsyncIterable<unknown>): Promise<number> {
  let parts = 0;
  for await (const _part of stream) parts++;
  return parts;
}

group("withRunEnd", () => {
  test.each(["beforeModel", "afterModel"] as const)(
    "fires after_agent when %s of another middleware throws, which it does not without it",
    async (hook) => {
      const { agent, ends } = failingAgent(hook);
      await expect(agent.invoke(state)).rejects.toThrow("disk full");
      expect(ends).toEqual([]);
      await expect(withRunEnd(agent).invoke(state)).rejects.toThrow("disk full");
      expect(ends).toEqual([expect.stringMatching(/^failed: .*disk full/)]);
    },
  );

  const streams: readonly (readonly [string, (agent: ReactAgent) => Promise<AsyncIterable<unknown>>])[] = [
    ["stream", (agent) => agent.stream(state as never)],
    ["streamEvents", async (agent) => agent.streamEvents(state as never, { version: "v2" })],
  ];
  test.each(streams)("fires it in the same way for a run of %s", async (_name, start) => {
    const { agent, ends } = failingAgent("afterModel");
    const stream = await start(withRunEnd(agent as never));
    await expect(read(stream)).rejects.toThrow("disk full");
    expect(ends).toEqual([expect.stringMatching(/^failed: .*disk full/)]);
  });

  const outputs = [
    ["output", (run: { readonly output: Promise<unknown> }) => run.output],
    ["values", async (run: { readonly values: PromiseLike<unknown> }) => await run.values],
  ] as const;
  test.each(outputs)("fires it before %s of a v3 stream of events rejects", async (_name, readEnd) => {
    const { agent, ends } = failingAgent("afterModel");
    const run = await withRunEnd(agent).streamEvents(state, { version: "v3" });
    await expect(readEnd(run)).rejects.toThrow("disk full");
    expect(ends).toEqual([expect.stringMatching(/^failed: .*disk full/)]);
  });

  test("fires it for a v3 stream of events of which only the events are read", async () => {
    const { agent, ends } = failingAgent("beforeModel");
    const run = await withRunEnd(agent).streamEvents(state, { version: "v3" });
    await expect(read(run)).rejects.toThrow("disk full");
    await expect.poll(() => ends).toEqual([expect.stringMatching(/^failed: .*disk full/)]);
  });

  test("leaves the parts of a v3 stream of events as they are, and fires it once", async () => {
    let ends: string[] = [];
    const { agent } = scriptedAgent([{ calls: [echoCall("a")] }, "done"], (hooks) => {
      ends = recordEnds(hooks);
    });
    const run = await withRunEnd(agent).streamEvents(state, { version: "v3" });
    let texts = "";
    for await (const message of run.messages) texts += await message.text;
    const { messages } = (await run.output) as { messages: { text: string }[] };
    expect([texts, messages.at(-1)?.text]).toEqual(["done", "done"]);
    expect(await read(run.values)).toBeGreaterThan(1);
    expect(ends).toEqual(["completed: no error"]);
  });

  test("fires it at the recursion limit", async () => {
    let ends: string[] = [];
    const calls = Array.from({ length: 9 }, (_, index) => ({ calls: [echoCall("a", `call-${index}`)] }));
    const { agent } = scriptedAgent(calls, (hooks) => {
      ends = recordEnds(hooks);
    });
    await expect(converse(withRunEnd(agent), { recursionLimit: 6 })).rejects.toThrow("ecursion limit");
    expect(ends).toEqual([expect.stringMatching(/^failed: .*ecursion limit/)]);
  });

  test("calls a run stopped that the caller aborts between two nodes", async () => {
    const aborting = new AbortController();
    let ends: string[] = [];
    const abort = createMiddleware({ name: "abort", beforeModel: () => aborting.abort() });
    const { hooks } = scriptedAgent([], (set) => {
      ends = recordEnds(set);
    });
    const agent = withRunEnd(
      createAgent({
        model: new ScriptedModel(["done"]),
        middleware: [hooksMiddleware(hooks, { events: "all" }), abort],
      }),
    );
    await expect(agent.invoke(state, { signal: aborting.signal })).rejects.toThrow();
    expect(ends).toEqual([expect.stringMatching(/^stopped: /)]);
  });

  test("fires it once for a run whose reader leaves", async () => {
    let ends: string[] = [];
    const { agent } = scriptedAgent([{ calls: [echoCall("a")] }, "done"], (hooks) => {
      ends = recordEnds(hooks);
    });
    for await (const _part of await withRunEnd(agent).stream(state)) break;
    await expect.poll(() => ends).toHaveLength(1);
  });

  test("fires it once for a run that ends by itself, and leaves the result as it is", async () => {
    let ends: string[] = [];
    const { agent } = scriptedAgent(["done", "done"], (hooks) => {
      ends = recordEnds(hooks);
    });
    expect(await converse(withRunEnd(agent))).toEqual(["human: hello", "ai: done"]);
    expect(await read(await withRunEnd(agent).stream(state))).toBeGreaterThan(0);
    expect(ends).toEqual(["completed: no error", "completed: no error"]);
  });

  test("keeps what else the agent has, and its configuration", async () => {
    let ends: string[] = [];
    const { agent } = scriptedAgent(["done"], (hooks) => {
      ends = recordEnds(hooks);
    });
    const hooked = withRunEnd(agent);
    expect(hooked.graph).toBe(agent.graph);
    expect(hooked).toBeInstanceOf(agent.constructor);
    await expect(converse(hooked.withConfig({ recursionLimit: 1 }))).rejects.toThrow("ecursion limit");
    expect(ends).toEqual([expect.stringMatching(/^failed: /)]);
  });
});
