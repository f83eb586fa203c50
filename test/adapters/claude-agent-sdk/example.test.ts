import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runExample } from "./example.ts";
import { startMessagesServer } from "./messages-server.ts";

test("the example refuses to delete, asks about the network, and lets Claude answer", async () => {
  const bash = (command: string) => ({ calls: [{ name: "Bash", input: { command } }] });
  const server = await startMessagesServer([
    bash("rm -rf build"),
    bash("curl localhost"),
    bash("echo read"),
    "Done.",
  ]);
  const home = mkdtempSync(join(tmpdir(), "claude-"));
  const asked: unknown[] = [];
  try {
    const answer = await runExample("Clean up.", {
      cwd: home,
      settingSources: [],
      model: "claude-sonnet-4-5",
      allowedTools: ["Bash"],
      canUseTool: async (_name, input, { decisionReason }) => {
        asked.push([input.command, decisionReason]);
        return { behavior: "deny", message: "not today" };
      },
      env: {
        PATH: process.env.PATH,
        HOME: home,
        CLAUDE_CONFIG_DIR: join(home, ".claude"),
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
    });
    expect(answer).toBe("Done.");
    expect(asked).toEqual([["curl localhost", "Claude wants to use the network"]]);
    const read = JSON.stringify(server.requests.at(-1)?.messages);
    expect(read).toContain("PreToolUse:Bash hook error: nothing is deleted here");
    expect(read).toContain("PreToolUse:Bash hook error: not today");
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
