// A tool call that passes through hooks: one guards, one rewrites, one asks a person, one watches.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ask, block, createHooks, proceed } from "@tenterhook/engine";

const run = promisify(execFile);
const hooks = createHooks();

hooks.on("before_tool", () => block("this would destroy data"), {
  name: "no-destruction",
  priority: 100,
  matcher: { tool: "Shell", pattern: "rm -rf|mkfs|dd if=" },
});

hooks.on("before_tool", ({ toolInput }) => proceed({ toolInput: { ...toolInput, timeoutMs: 5_000 } }), {
  name: "time-limit",
  matcher: "Shell",
});

hooks.on("before_tool", () => ask("it leaves this machine"), {
  name: "network",
  matcher: { tool: "Shell", pattern: "curl|wget|ssh" },
});

hooks.on(
  ["before_tool", "after_tool"],
  ({ event, toolName }) => console.log(`    (seen: ${event} ${toolName})`),
  {
    name: "observer",
    mode: "background",
    always: true,
  },
);

/** What an agent's loop does with a tool call that the model asked for. */
async function callTool(toolName: string, toolInput: Record<string, unknown>): Promise<string> {
  const before = await hooks.dispatch("before_tool", { toolName, toolInput }, { approve: rejectEverything });
  if (before.action !== "go_on") return `refused by ${before.hook}: ${before.reason}`;

  const { command, timeoutMs } = before.payload.toolInput;
  const { stdout } = await run("sh", ["-c", String(command)], { timeout: Number(timeoutMs) });

  const after = await hooks.dispatch("after_tool", { ...before.payload, toolResult: stdout.trim() });
  return String(after.payload.toolResult);
}

/** Stands for the person at the terminal, who is careful today. */
function rejectEverything({ reason }: { readonly reason: string }) {
  return { type: "reject", reason: `the person said no (${reason})` } as const;
}

for (const command of ["echo hello from a tool", "rm -rf /", "curl https://example.com"]) {
  console.log(`> ${command}`);
  console.log(`  ${await callTool("Shell", { command })}`);
  await hooks.drain();
}
