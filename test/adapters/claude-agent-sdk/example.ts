// A rule for Claude: it may read what it likes, but deletes nothing, and asks before it uses the network.
import { type Options, query } from "@anthropic-ai/claude-agent-sdk";
import { withHooks } from "@tenterhook/adapters/claude-agent-sdk";
import { ask, block, createHooks } from "@tenterhook/engine";

const hooks = createHooks();
hooks.on("before_tool", () => block("nothing is deleted here"), {
  name: "no-deletes",
  matcher: { tool: "Shell", pattern: "rm " },
});
hooks.on("before_tool", () => ask("Claude wants to use the network"), {
  name: "network",
  matcher: { tool: "Shell", pattern: "curl" },
});

/** Runs a prompt, and returns Claude's last answer. */
export async function runExample(prompt: string, options: Options): Promise<string> {
  let answer = "";
  for await (const message of withHooks(query, hooks)({ prompt, options }))
    if (message.type === "result" && message.subtype === "success") answer = message.result;
  return answer;
}
