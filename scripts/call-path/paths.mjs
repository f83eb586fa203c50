// The calls that `npm run call:path` runs. A path names the packages whose files count, and its limit, which the test enforces.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PACKAGES = new URL("../../packages/", import.meta.url);
const SESSION = "call-path";

export const PATHS = [
  {
    name: "bridge",
    title: "A call of a coding agent",
    packages: ["bridges"],
    limit: { byFiles: { folders: 12, returns: 5 }, byCalls: { folders: 12, returns: 5 } },
    run: callBridge,
  },
  {
    name: "call",
    title: "The same call, through all packages",
    packages: ["bridges", "file-hooks", "engine", "protocol", "internal", "commands"],
    limit: { byFiles: { files: 70, returns: 23 } },
    run: callBridge,
  },
  {
    name: "agent",
    title: "A tool call, from the model's answer to the handler of a hook on before_tool",
    packages: ["agent", "engine"],
    limit: { byFiles: { files: 33, returns: 14 }, onTheWay: { files: 10, returns: 2 } },
    run: callAgent,
  },
];

/** Claude Code asks before a tool call, in a new home with one guard, which refuses. Returns the exit code. */
async function callBridge({ begin }) {
  // What runs while modules are loaded is not part of the call.
  await callInNewHome();
  begin();
  return callInNewHome();
}

async function callInNewHome() {
  const home = mkdtempSync(join(tmpdir(), "tenterhook-call-path-"));
  try {
    const project = join(home, "project");
    mkdirSync(project);
    writeGuard(join(home, ".config", "agents", "hooks", "guard"));
    const { bridge } = await import(new URL("bridges/dist/call/bridge.js", PACKAGES).href);
    const payload = {
      session_id: SESSION,
      cwd: project,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "rm -rf build" },
      tool_use_id: "toolu_1",
    };
    const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CODE_SESSION_ID: SESSION };
    const { exit } = await bridge({
      client: "claude",
      event: "PreToolUse",
      stdin: async () => JSON.stringify(payload),
      cwd: project,
      env,
    });
    return `exit ${exit}`;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function writeGuard(folder) {
  mkdirSync(join(folder, "scripts"), { recursive: true });
  writeFileSync(
    join(folder, "HOOK.md"),
    "---\nname: guard\ndescription: Refuses every command.\ntrigger: before_tool\nmatcher:\n  tool: Shell\non_error: block\n---\n",
  );
  const script = join(folder, "scripts", "run.sh");
  writeFileSync(script, "echo refused >&2\nexit 2\n");
  chmodSync(script, 0o700);
}

/** An agent with one tool and one hook, and a model that calls the tool. Returns what the handler saw. */
async function callAgent({ begin, end }) {
  const { createAgent } = await import(new URL("agent/dist/index.js", PACKAGES).href);
  const { createHooks } = await import(new URL("engine/dist/index.js", PACKAGES).href);
  const input = { command: "rm -rf build" };
  const answers = [
    { text: "", toolCalls: [{ id: "1", name: "Shell", input }], finishReason: "tool-calls" },
    { text: "Done.", toolCalls: [], finishReason: "stop" },
  ];
  const model = {
    modelId: "scripted",
    provider: "scripted",
    stream: () => Promise.reject(new Error("it does not stream")),
    generate: async () => {
      const { text, toolCalls, finishReason } = answers.shift();
      const calls = toolCalls.map(({ id, name, input }) => ({
        type: "tool-call",
        toolCallId: id,
        toolName: name,
        input,
      }));
      begin();
      return { text, toolCalls, finishReason, message: { role: "assistant", content: calls } };
    },
  };
  const hooks = createHooks();
  let seen;
  hooks.on("before_tool", ({ toolInput }) => {
    end();
    seen = toolInput.command;
  });
  const tools = { Shell: { inputSchema: { type: "object" }, execute: () => "removed" } };
  await createAgent({ model, hooks, tools }).run("Clean up.");
  return seen;
}
