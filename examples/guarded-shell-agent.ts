// An agent with a shell, behind four hooks: one refuses, one rewrites, one asks a person, one watches.
import { ask, block, builtInTools, createAgent, createHooks, proceed } from "@tenterhook/agent";
import type { Context } from "@tenterhook/engine";
import { modelFor } from "./model.ts";
import { printSummary, runWithProgress } from "./story.ts";
import { tempFolder } from "./temp-folder.ts";

const hooks = createHooks();

hooks.on("before_tool", () => block("this would destroy data"), {
  name: "no-destruction",
  priority: 100,
  matcher: { tool: "Shell", pattern: "\\b(rm|mkfs|dd)\\b" },
});

hooks.on("before_tool", ({ toolInput }) => proceed({ toolInput: { ...toolInput, timeout_ms: 5_000 } }), {
  name: "time-limit",
  matcher: "Shell",
});

hooks.on("before_tool", () => ask("it leaves this machine"), {
  name: "network",
  matcher: { tool: "Shell", pattern: "\\b(curl|wget|ssh)\\b" },
});

const seen: string[] = [];
const observe = ({ toolName, toolInput, outcome }: Context<"before_tool">) => {
  seen.push(`${outcome?.type}: ${toolName} ${Object.values(toolInput)[0]}`);
};
hooks.on("before_tool", observe, { mode: "background", always: true }); // also when another hook refused

const agent = createAgent({
  instructions: "You tidy up folders. Work in small steps, and say in a sentence what you do next.",
  model: await modelFor([
    { text: "I look around first.", toolCalls: [{ name: "Shell", input: { command: "ls" } }] },
    { text: "There are notes.", toolCalls: [{ name: "ReadFile", input: { file_path: "notes.txt" } }] },
    { text: "The log can go.", toolCalls: [{ name: "Shell", input: { command: "rm build.log" } }] },
    {
      text: "Is the site up?",
      toolCalls: [{ name: "Shell", input: { command: "curl https://example.com" } }],
    },
    "I read the notes. I could neither delete the log nor reach the site: both were refused.",
  ]),
  hooks,
  tools: builtInTools({ only: ["Shell", "ReadFile"] }),
  workDir: tempFolder({ "build.log": "0 errors\n", "notes.txt": "The build log can go.\n" }),
  // Stands for the person at the terminal, who is careful today.
  approve: ({ reason }) => ({ type: "reject", reason: `the person said no (${reason})` }),
});

await runWithProgress(
  "A shell behind four hooks",
  agent,
  "Tidy up this folder, and see whether https://example.com is up.",
);
await agent.close(); // lets the observer finish
printSummary("What the observer saw", seen);
