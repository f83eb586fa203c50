// A LangChain agent behind two hooks: one refuses a command, one keeps the agent running until it has listed the files.
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { hooksMiddleware } from "@tenterhook/adapters/langchain";
import { block, createHooks } from "@tenterhook/engine";
import { createAgent, tool } from "langchain";

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

const shell = tool(({ command }: { command: string }) => `ran: ${command}`, {
  name: "shell",
  description: "Runs a command",
  schema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
});

// The model plays a script, so no key is needed; any chat model of LangChain can be in its place.
const call = (id: string, command: string) =>
  new AIMessage({ content: "", tool_calls: [{ type: "tool_call", id, name: "shell", args: { command } }] });
const model = fakeModel()
  .respond(call("1", "rm -rf build"))
  .respond(new AIMessage("I could not delete it."))
  .respond(call("2", "ls"))
  .respond(new AIMessage("The files are listed."));

const agent = createAgent({ model, tools: [shell], middleware: [hooksMiddleware(hooks)] });
const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Tidy up." }] });

for (const message of messages) {
  const { tool_calls: calls = [] } = message as AIMessage;
  const text = calls.length > 0 ? calls.map(({ args }) => `calls ${args.command}`).join() : message.text;
  console.log(`${message.getType().padStart(6)}  ${text}`);
}
