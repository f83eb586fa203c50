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

const runner = withHooks(new Runner(), hooks);
const agent = new Agent({ name: "assistant", model, tools: [shell] });
const { newItems, finalOutput } = await runner.run(agent, "Tidy up.");

for (const item of newItems) {
  if (item.type === "tool_call_item") console.log(`assistant: calls ${item.rawItem.arguments}`);
  if (item.type === "tool_call_output_item") console.log(`tool: ${item.output}`);
}
console.log(`assistant: ${finalOutput}`);
