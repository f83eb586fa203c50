import { createHooks, type Hooks } from "@tenterhook/engine";
import { block, proceed } from "@tenterhook/protocol";
import { createAgent, tool } from "langchain";
import { expect, test } from "vitest";
import { hooksMiddleware } from "./middleware.ts";
import { describe } from "./testing/run-agent.ts";
import { ScriptedModel } from "./testing/scripted-model.ts";

// LangChain itself loses `__proto__` of what the model writes.
const INPUT = '{"command":"ls","constructor":{"a":1},"prototype":[2],"toString":"text"}';
const RESULT = '{"__proto__":{"isAdmin":true},"constructor":"c"}';
const CHANGED = '{"command":"pwd","__proto__":{"isAdmin":true},"valueOf":1}';
const schema = { type: "object", properties: {} } as const;

async function run(hooks: Hooks, name: string, input: object, execute: (input: unknown) => unknown) {
  const own = tool(execute, { name, description: "Takes any fields", schema });
  const model = new ScriptedModel([{ calls: [{ id: "1", name, input: input as never }] }, "done"]);
  const agent = createAgent({ model, tools: [own], middleware: [hooksMiddleware(hooks)] });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: "hello" }] });
  return describe(messages).slice(2);
}

test.each(["__proto__", "constructor", "files.read"])("a tool named %s is guarded", async (name) => {
  const hooks = createHooks();
  const seen: string[] = [];
  hooks.on("before_tool", ({ toolName }) => {
    seen.push(toolName);
    return block("closed");
  });
  let runs = 0;
  expect(await run(hooks, name, {}, () => ++runs)).toEqual(["tool error: closed", "ai: done"]);
  expect([runs, seen]).toEqual([0, [name]]);
});

test("fields with names of every object reach hooks and the tool", async () => {
  const inputs: string[] = [];
  const execute = (input: unknown) => {
    inputs.push(JSON.stringify(input));
    return RESULT;
  };
  const watching = createHooks();
  const seen: string[] = [];
  watching.on("before_tool", ({ toolInput }) => void seen.push(JSON.stringify(toolInput)));
  watching.on("after_tool", ({ toolResult }) => void seen.push(String(toolResult)));
  await run(watching, "open", JSON.parse(INPUT), execute);
  expect([inputs.pop(), seen]).toEqual([INPUT, [INPUT, RESULT]]);
  const changing = createHooks();
  changing.on("before_tool", () => proceed({ toolInput: JSON.parse(CHANGED) as Record<string, unknown> }));
  changing.on("after_tool", () => proceed({ toolResult: JSON.parse('{"__proto__":{"seen":1}}') as unknown }));
  const read = await run(changing, "open", JSON.parse(INPUT), execute);
  expect(inputs).toEqual([CHANGED]);
  expect(read[0]).toBe('tool: {"__proto__":{"seen":1}}');
  expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
});
