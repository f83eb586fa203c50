import { Command, MemorySaver } from "@langchain/langgraph";
import type { Hooks, Trace } from "@tenterhook/engine";
import { ask, block } from "@tenterhook/protocol";
import { expect, describe as group, test } from "vitest";
import { describe, echoCall, scriptedAgent } from "./testing/run-agent.ts";

const config = { configurable: { thread_id: "1" } };
const start = { messages: [{ role: "user", content: "hello" }] };
const approval = new Command({ resume: { decisions: [{ type: "approve" }] } });

/** A store with the same bytes, as another process reads it. */
function readAgain({ storage, writes }: MemorySaver, change = (text: string) => text): MemorySaver {
  return Object.assign(new MemorySaver(), {
    storage: changeBytes(storage, change),
    writes: changeBytes(writes, change),
  });
}

function changeBytes(value: unknown, change: (text: string) => string): unknown {
  if (value instanceof Uint8Array) return new TextEncoder().encode(change(new TextDecoder().decode(value)));
  if (Array.isArray(value)) return value.map((part) => changeBytes(part, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, changeBytes(part, change)]));
}

async function pause(): Promise<MemorySaver> {
  const checkpointer = new MemorySaver();
  const { agent, executed } = scriptedAgent(
    [{ calls: [echoCall("risky")] }],
    (hooks) => void hooks.on("before_tool", () => ask("is this safe?")),
    { checkpointer },
  );
  expect(await agent.invoke(start, config)).toHaveProperty("__interrupt__");
  expect(executed).toEqual([]);
  return checkpointer;
}

async function resume(checkpointer: MemorySaver, register: (hooks: Hooks) => void) {
  const traces: Trace[] = [];
  const events: string[] = [];
  const { agent, executed } = scriptedAgent(
    ["done"],
    (hooks) => {
      hooks.onTrace((trace) => void (trace.event === "before_tool" && traces.push(trace)));
      hooks.on("before_agent", () => void events.push("before_agent"));
      hooks.on("after_agent", ({ status }) => void events.push(`after_agent ${status}`));
      register(hooks);
    },
    { checkpointer },
  );
  const { messages } = await agent.invoke(approval, config);
  return { messages: describe(messages).slice(2), executed, traces, events };
}

group("a graph that was paused in another process", () => {
  test("calls the hooks again, and records the call once", async () => {
    const seen: unknown[] = [];
    const { messages, executed, traces, events } = await resume(readAgain(await pause()), (hooks) => {
      hooks.on("before_tool", ({ toolInput }) => {
        seen.push(toolInput);
        return ask("is this safe?");
      });
    });
    expect([messages, executed]).toEqual([["tool: echo: risky", "ai: done"], ["risky"]]);
    expect(seen).toEqual([{ text: "risky" }]);
    expect(traces.map(({ entries }) => entries.map(({ approval: decision }) => decision))).toEqual([
      ["approve"],
    ]);
    expect(events).toEqual(["after_agent completed"]);
  });

  test("does not execute what a hook refuses that was added meanwhile", async () => {
    const { messages, executed } = await resume(
      readAgain(await pause()),
      (hooks) => void hooks.on("before_tool", () => block("changes are frozen")),
    );
    expect([messages, executed]).toEqual([["tool error: changes are frozen", "ai: done"], []]);
  });

  test("shows hooks the input that was changed in the store", async () => {
    const changed = readAgain(await pause(), (text) => text.replaceAll('"risky"', '"rm"'));
    const { messages, executed } = await resume(changed, (hooks) => {
      hooks.on("before_tool", ({ toolInput }) =>
        toolInput.text === "rm" ? block("this would destroy data") : ask("is this safe?"),
      );
    });
    expect([messages, executed]).toEqual([["tool error: this would destroy data", "ai: done"], []]);
  });
});
