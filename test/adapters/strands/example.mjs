// A Strands agent behind two hooks: one refuses a command, one keeps the agent running until it has listed the files.
import { Agent, Model, tool } from "@strands-agents/sdk";
import { hooksPlugin } from "@tenterhook/adapters/strands";
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

const shell = tool({
  name: "shell",
  description: "Runs a command.",
  inputSchema: z.object({ command: z.string() }),
  callback: ({ command }) => `ran: ${command}`,
});

// The model plays a script, so no key is needed; any model of Strands can be in its place.
class Script extends Model {
  #answers = [
    { command: "rm -rf build" },
    { text: "I could not delete it." },
    { command: "ls" },
    { text: "The files are listed." },
  ];

  updateConfig() {}

  getConfig() {
    return { modelId: "script" };
  }

  async *stream() {
    const { command, text } = this.#answers.shift() ?? { text: "" };
    yield { type: "modelMessageStartEvent", role: "assistant" };
    if (command === undefined) {
      yield { type: "modelContentBlockStartEvent" };
      yield { type: "modelContentBlockDeltaEvent", delta: { type: "textDelta", text } };
    } else {
      const start = { type: "toolUseStart", name: "shell", toolUseId: command };
      const input = JSON.stringify({ command });
      yield { type: "modelContentBlockStartEvent", start };
      yield { type: "modelContentBlockDeltaEvent", delta: { type: "toolUseInputDelta", input } };
    }
    yield { type: "modelContentBlockStopEvent" };
    yield { type: "modelMessageStopEvent", stopReason: command === undefined ? "endTurn" : "toolUse" };
  }
}

const agent = new Agent({
  model: new Script(),
  tools: [shell],
  plugins: [hooksPlugin(hooks)],
  printer: false,
});
await agent.invoke("Tidy up.");

for (const { role, content } of agent.messages) {
  for (const block of content) {
    if (block.type === "textBlock") console.log(`${role}: ${block.text}`);
    if (block.type === "toolUseBlock") console.log(`${role}: calls ${block.input.command}`);
    if (block.type === "toolResultBlock") console.log(`tool: ${block.content[0].text}`);
  }
}
