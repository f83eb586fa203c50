// An agent of the AI SDK behind two hooks: one refuses a command, one keeps the agent running until it has listed the files.
import { withHooks } from "@tenterhook/adapters/ai-sdk";
import { block, createHooks } from "@tenterhook/engine";
import { jsonSchema, ToolLoopAgent, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";

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

const shell = tool({
  description: "Runs a command",
  inputSchema: jsonSchema<{ command: string }>({
    type: "object",
    properties: { command: { type: "string" } },
  }),
  execute: async ({ command }) => `ran: ${command}`,
});

// The model plays a script, so no key is needed; any model of the AI SDK can be in its place.
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
const call = (toolCallId: string, command: string) => ({
  content: [
    { type: "tool-call" as const, toolCallId, toolName: "shell", input: JSON.stringify({ command }) },
  ],
  finishReason: { unified: "tool-calls" as const, raw: undefined },
  usage,
  warnings: [],
});
const say = (text: string) => ({
  content: [{ type: "text" as const, text }],
  finishReason: { unified: "stop" as const, raw: undefined },
  usage,
  warnings: [],
});
const answers = [
  call("1", "rm -rf build"),
  say("I could not delete it."),
  call("2", "ls"),
  say("The files are listed."),
];
const model = new MockLanguageModelV3({
  doGenerate: async () => answers.shift() ?? say("There is nothing left to do."),
});

const agent = new ToolLoopAgent(withHooks({ model, tools: { shell } }, hooks));
const { steps, text } = await agent.generate({ prompt: "Tidy up." });

for (const part of steps.flatMap(({ content }) => content)) {
  if (part.type === "tool-error") console.log(` refused  ${String(part.error)}`);
  if (part.type === "tool-result") console.log(`  result  ${String(part.output)}`);
}
console.log(`    text  ${text}`);
