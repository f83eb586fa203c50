// A Mastra agent behind two hooks: one refuses a command, one keeps the agent running until it has listed the files.
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { withHooks } from "@tenterhook/adapters/mastra";
import { block, createHooks } from "@tenterhook/engine";
import { z } from "zod";

const hooks = createHooks();
hooks.on(
  "before_tool",
  (ctx) => (/\brm\b/.test(String(ctx.toolInput.command)) ? block("this would destroy data") : undefined),
  { name: "no-destruction" },
);
let hasListed = false;
hooks.on("after_tool", (ctx) => {
  hasListed ||= ctx.toolInput.command === "ls";
});
hooks.on("before_stop", () => (hasListed ? undefined : block("List the files before you stop.")), {
  name: "list-first",
});

const shell = createTool({
  id: "shell",
  description: "Runs a command.",
  inputSchema: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran: ${command}`,
});

// The model plays a script, so no key is needed; any model of Mastra can be in its place.
const answers = [
  { command: "rm -rf build" },
  { text: "I could not delete it." },
  { command: "ls" },
  { text: "The files are listed." },
];
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const model = {
  specificationVersion: "v2",
  provider: "script",
  modelId: "script",
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const last = prompt.at(-1).content[0];
    console.log(last.type === "text" ? `user: ${last.text}` : `tool: ${last.output.value}`);
    const { command, text } = answers.shift();
    console.log(`assistant: ${text ?? `calls ${command}`}`);
    const call = {
      type: "tool-call",
      toolCallId: command,
      toolName: "shell",
      input: JSON.stringify({ command }),
    };
    const isCall = command !== undefined;
    const content = [isCall ? call : { type: "text", text }];
    return { content, finishReason: isCall ? "tool-calls" : "stop", usage, warnings: [] };
  },
};

const agent = new Agent(
  withHooks({ id: "helper", name: "helper", instructions: "Help.", model, tools: { shell } }, hooks),
);
await agent.generate("Tidy up.");
