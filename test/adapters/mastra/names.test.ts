import { createTool } from "@mastra/core/tools";
import { block, createHooks, proceed } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { hookedAgent, newShell, readRequest, run } from "./testing.ts";

const INPUT = '{"command":"ls","constructor":{"a":1},"prototype":[2],"toString":"text"}';
const RESULT = '{"__proto__":{"isAdmin":true},"constructor":"c"}';
// Mastra's own validation loses `__proto__` of an input.
const CHANGED = '{"command":"pwd","valueOf":1}';

describe.each([false, true])("names of every object, streaming: %s,", (isStreamed) => {
  // Mastra offers a tool with a dot in its name under another one, and has none named `__proto__`.
  test.each(["constructor", "files.read"])("a tool named %s is guarded", async (key) => {
    const name = key.replace(".", "_");
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on("before_tool", ({ toolName }) => {
      seen.push(toolName);
      return block("closed");
    });
    const executed: string[] = [];
    const tools = { [key]: newShell(executed) };
    const calls = [{ name, input: { command: "ls" } }];
    const { agent } = hookedAgent(hooks, [{ calls }, "Done."], { tools });
    expect((await run(agent, isStreamed)).text).toBe("Done.");
    expect([executed, seen]).toEqual([[], [name]]);
  });

  test.each(["in the configuration", "in a toolset"])(
    "fields reach hooks and the tool, %s",
    async (where) => {
      const inputs: string[] = [];
      const open = createTool({
        id: "open",
        description: "Takes any fields.",
        inputSchema: z.looseObject({}),
        execute: async (input) => {
          inputs.push(JSON.stringify(input));
          return JSON.parse(RESULT) as unknown;
        },
      });
      const call = async (hooks = createHooks()) => {
        const calls = [{ name: "open", input: JSON.parse(INPUT) as object }];
        const isOwn = where === "in the configuration";
        const { agent, model } = hookedAgent(hooks, [{ calls }, "Done."], isOwn ? { tools: { open } } : {});
        const options = isOwn ? {} : { toolsets: { more: { open } } };
        expect((await run(agent, isStreamed, options)).text).toBe("Done.");
        return { read: readRequest(model.requests[1]), input: inputs.pop() };
      };
      const watching = createHooks();
      const seen: string[] = [];
      watching.on("before_tool", ({ toolInput }) => void seen.push(JSON.stringify(toolInput)));
      watching.on("after_tool", ({ toolResult }) => void seen.push(JSON.stringify(toolResult)));
      const { input } = await call(watching);
      expect([input, seen]).toEqual([INPUT, [INPUT, RESULT]]);
      const changing = createHooks();
      changing.on("before_tool", () =>
        proceed({ toolInput: JSON.parse(CHANGED) as Record<string, unknown> }),
      );
      changing.on("after_tool", () =>
        proceed({ toolResult: JSON.parse('{"__proto__":{"seen":1}}') as unknown }),
      );
      const changed = await call(changing);
      expect(changed.input).toBe(CHANGED);
      expect(changed.read).toContain('{"__proto__":{"seen":1}}');
      expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    },
  );
});
