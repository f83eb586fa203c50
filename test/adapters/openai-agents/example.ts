// An agent of OpenAI Agents with a guard, on a model that answers from a script: it needs no key.
import { Agent, Runner, tool as sdkTool, setTracingDisabled } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { hookedTool, withHooks } from "@tenterhook/adapters/openai-agents";
import { block, createHooks } from "@tenterhook/engine";
import { z } from "zod";

setTracingDisabled(true);

const hooks = createHooks();
hooks.on("before_tool", ({ toolInput }) =>
  /\brm\b/.test(String(toolInput.command)) ? block("this would destroy data") : undefined,
);

const tool = hookedTool(sdkTool);
const shell = tool({
  name: "shell",
  description: "Runs a command.",
  parameters: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran: ${command}`,
});

const model = new ScriptedModel([
  [functionCall("shell", { command: "rm -rf build" }, { callId: "c1" })],
  [functionCall("shell", { command: "ls build" }, { callId: "c2" })],
  [assistantMessage("I left the build alone.")],
]);

/** Runs the agent, and returns what the model read of its tools, and its answer. */
export async function main(): Promise<readonly string[]> {
  const runner = withHooks(new Runner(), hooks);
  const result = await runner.run(new Agent({ name: "assistant", model, tools: [shell] }), "Tidy up.");
  const outputs = result.newItems
    .filter((item) => item.type === "tool_call_output_item")
    .map(({ output }) => String(output));
  return [...outputs, String(result.finalOutput)];
}
