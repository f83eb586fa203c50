import { describe, expect, test } from "vitest";
import { DONE } from "./client-sandbox.ts";
import { LIVE_CLIENTS } from "./live-clients.ts";
import type { Step } from "./model-protocols.ts";
import { newSandbox } from "./new-sandbox.ts";

const GUARD = [
  "matcher: { tool: ^Shell$, pattern: FORBIDDEN }",
  "action: block",
  "reason: R-GUARD forbidden",
];

/** How the model of a client gets at a shell without its shell tool, and what it is told. */
const WAYS: Readonly<Record<string, (command: string) => readonly [steps: readonly Step[], told: string]>> = {
  claude: (command) => [
    [
      { tool: "ToolSearch", input: { query: "select:Monitor", max_results: 1 } },
      { tool: "Monitor", input: { command, description: "watch", timeout_ms: 5_000 } },
    ],
    "R-GUARD",
  ],
  qwen: (command) => [
    [{ tool: "tool_call", input: { name: "monitor", arguments: { command, description: "watch" } } }],
    "R-GUARD",
  ],
  codex: () => [
    [{ tool: "exec_command", input: { cmd: "bash", tty: true, yield_time_ms: 1_000 } }],
    "which runs what is typed into it",
  ],
};

describe.each(LIVE_CLIENTS.filter(({ id }) => Object.hasOwn(WAYS, id)))("$id, the real one", (client) => {
  test("gets at no shell past a guard of Shell by its other tools", async () => {
    const sandbox = newSandbox(client);
    sandbox.hook("guard", "before_tool", GUARD);
    await sandbox.install();
    const [steps, told] = WAYS[client.id]?.(`touch ${sandbox.file("FORBIDDEN")}`) ?? [[], ""];
    const { received } = await sandbox.run({
      steps: [...steps, client.shell(`touch ${sandbox.file("allowed")}`), { text: DONE }],
    });
    expect(received).toContain(told);
    expect(sandbox.has("FORBIDDEN")).toBe(false);
    expect(sandbox.has("allowed")).toBe(true);
  });
});
