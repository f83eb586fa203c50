import { block, createHooks, type Hooks, proceed } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { agentWith, call, lastInput, MODES, runHooked, ScriptedModel, say, tool } from "./script.ts";

const INPUT = '{"command":"ls","__proto__":{"a":1},"constructor":{"a":1},"prototype":[2],"toString":"text"}';
const RESULT = '{"__proto__":{"isAdmin":true},"constructor":"c"}';
const CHANGED = '{"command":"pwd","__proto__":{"isAdmin":true},"valueOf":1}';

const open = (name: string, inputs: string[]) =>
  tool({
    name,
    description: "Takes any fields.",
    parameters: { type: "object", properties: {}, required: [], additionalProperties: true } as never,
    strict: false,
    execute: async (input: unknown) => {
      inputs.push(JSON.stringify(input));
      return JSON.parse(RESULT) as never;
    },
  } as never);

describe.each(MODES)("with %o", (mode) => {
  test.each(["__proto__", "constructor", "files_read"])("a tool named %s is guarded", async (name) => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on("before_tool", ({ toolName }) => {
      seen.push(toolName);
      return block("closed");
    });
    const inputs: string[] = [];
    const model = new ScriptedModel([[call(name, {})], [say("done")]]);
    const { finalOutput } = await runHooked(agentWith(model, [open(name, inputs)]), hooks, mode);
    expect([finalOutput, inputs, seen]).toEqual(["done", [], [name]]);
  });

  test("fields with names of every object reach hooks and the tool", async () => {
    const inputs: string[] = [];
    const run = async (hooks: Hooks) => {
      const model = new ScriptedModel([[call("open", JSON.parse(INPUT))], [say("done")]]);
      await runHooked(agentWith(model, [open("open", inputs)]), hooks, mode);
      return { input: inputs.pop(), read: lastInput(model).at(-1) };
    };
    const watching = createHooks();
    const seen: string[] = [];
    watching.on("before_tool", ({ toolInput }) => void seen.push(JSON.stringify(toolInput)));
    watching.on("after_tool", ({ toolResult }) => void seen.push(JSON.stringify(toolResult)));
    const { input } = await run(watching);
    expect([input, seen]).toEqual([INPUT, [INPUT, RESULT]]);
    const changing = createHooks();
    changing.on("before_tool", () => proceed({ toolInput: JSON.parse(CHANGED) as Record<string, unknown> }));
    changing.on("after_tool", () =>
      proceed({ toolResult: JSON.parse('{"__proto__":{"seen":1}}') as unknown }),
    );
    const changed = await run(changing);
    expect(changed.input).toBe(CHANGED);
    expect(changed.read).toContain('{"__proto__":{"seen":1}}');
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });
});
