import { Agent, Runner, tool as sdkTool } from "@openai/agents";
import { type AgentLike, hookedTool, type RunnerLike, withHooks } from "@tenterhook/adapters/openai-agents";
import { createHooks } from "@tenterhook/engine";
import { expectTypeOf } from "vitest";
import { z } from "zod";

const hooks = createHooks();

// An agent keeps its type, and so does the output of its run.
const counter = new Agent({ name: "counter", outputType: z.object({ count: z.number() }) });
const hooked = withHooks(counter, hooks);
expectTypeOf(hooked).toEqualTypeOf(counter);
expectTypeOf<Agent>().toExtend<AgentLike>();

const runner = withHooks(new Runner(), hooks, { maxHolds: 1 });
expectTypeOf(runner).toEqualTypeOf<Runner>();
expectTypeOf<Runner>().toExtend<RunnerLike>();
const result = await runner.run(hooked, "hi");
expectTypeOf(result.finalOutput).toEqualTypeOf<{ count: number } | undefined>();

// The function that makes tools keeps its type, so that the input of a tool is known.
const tool = hookedTool(sdkTool);
expectTypeOf(tool).toEqualTypeOf(sdkTool);
tool({
  name: "weather",
  description: "",
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => {
    expectTypeOf(city).toEqualTypeOf<string>();
    return city;
  },
});

// @ts-expect-error An agent is neither a name nor an object of any kind.
withHooks({ name: "nothing" }, hooks);
