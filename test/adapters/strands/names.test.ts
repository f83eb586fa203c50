import { tool } from "@strands-agents/sdk";
import { block, createHooks, type Hooks, proceed } from "@tenterhook/engine";
import { expect, test } from "vitest";
import { z } from "zod";
import { hookedAgent, readTexts } from "./testing.ts";

const INPUT = '{"command":"ls","__proto__":{"a":1},"constructor":{"a":1},"prototype":[2],"toString":"text"}';
const RESULT = '{"__proto__":{"isAdmin":true},"constructor":"c"}';
const CHANGED = '{"command":"pwd","__proto__":{"isAdmin":true},"valueOf":1}';

test.each(["__proto__", "constructor", "files_read"])("a tool named %s is guarded", async (name) => {
  const hooks = createHooks();
  const seen: string[] = [];
  hooks.on("before_tool", ({ toolName }) => {
    seen.push(toolName);
    return block("closed");
  });
  let runs = 0;
  const own = tool({ name, description: "Counts.", inputSchema: z.object({}), callback: () => ++runs });
  const { agent } = hookedAgent(hooks, [{ calls: [{ name, input: {} }] }, "done"], { tools: [own] });
  expect((await agent.invoke("go")).toString()).toBe("done");
  expect([runs, seen]).toEqual([0, [name]]);
});

test("fields with names of every object reach hooks and the tool", async () => {
  const inputs: string[] = [];
  const open = tool({
    name: "open",
    description: "Takes any fields.",
    inputSchema: { type: "object" } as const,
    callback: (input) => {
      inputs.push(JSON.stringify(input));
      return JSON.parse(RESULT) as never;
    },
  });
  const call = async (hooks: Hooks) => {
    const calls = [{ name: "open", input: JSON.parse(INPUT) as Record<string, never> }];
    const { agent, model } = hookedAgent(hooks, [{ calls }, "done"], { tools: [open] });
    expect((await agent.invoke("go")).toString()).toBe("done");
    return { input: inputs.pop(), read: readTexts(model.requests[1]?.messages ?? []).at(-1) };
  };
  const watching = createHooks();
  const seen: string[] = [];
  watching.on("before_tool", ({ toolInput }) => void seen.push(JSON.stringify(toolInput)));
  watching.on("after_tool", ({ toolResult }) => void seen.push(JSON.stringify(toolResult)));
  const { input } = await call(watching);
  expect([input, seen]).toEqual([INPUT, [INPUT, RESULT]]);
  const changing = createHooks();
  changing.on("before_tool", () => proceed({ toolInput: JSON.parse(CHANGED) as Record<string, unknown> }));
  changing.on("after_tool", () => proceed({ toolResult: JSON.parse('{"__proto__":{"seen":1}}') as unknown }));
  const changed = await call(changing);
  expect(changed.input).toBe(CHANGED);
  expect(changed.read).toContain('{"__proto__":{"seen":1}}');
  expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
});
