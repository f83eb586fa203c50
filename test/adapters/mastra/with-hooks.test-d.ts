import { Agent, type AgentConfig } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { withHooks } from "@tenterhook/adapters/mastra";
import { createHooks } from "@tenterhook/engine";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

test("a configuration keeps its type, and makes the same agent", () => {
  const hooks = createHooks();
  const shell = createTool({
    id: "shell",
    description: "Runs.",
    inputSchema: z.object({ command: z.string() }),
    execute: async () => "ran",
  });
  const config = {
    id: "a",
    name: "a",
    instructions: "Help.",
    model: "openai/gpt-5",
    tools: { shell },
  } as const;
  expectTypeOf(withHooks(config, hooks)).toEqualTypeOf<typeof config>();
  expectTypeOf(new Agent(withHooks(config, { hooks }))).toEqualTypeOf(new Agent(config));
  expectTypeOf(withHooks({} as AgentConfig, hooks, { maxHolds: 1 })).toEqualTypeOf<AgentConfig>();
  // @ts-expect-error: a configuration has a model.
  withHooks({ id: "a" }, hooks);
  // @ts-expect-error: there is no such option.
  withHooks(config, hooks, { colour: "red" });
});
