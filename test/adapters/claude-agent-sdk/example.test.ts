import { expect, test } from "vitest";
import { createHome } from "./claude-home.ts";
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
  const home = createHome(server.url);
  const asked: unknown[] = [];
  try {
    const answer = await runExample("Clean up.", {
      ...home.options,
      allowedTools: ["Bash"],
      canUseTool: async (_name, input, { decisionReason }) => {
        asked.push([input.command, decisionReason]);
        return { behavior: "deny", message: "not today" };
      },
    });
    expect(answer).toBe("Done.");
    expect(asked).toEqual([["curl localhost", "Claude wants to use the network"]]);
    const read = JSON.stringify(server.requests.at(-1)?.messages);
    expect(read).toContain("PreToolUse:Bash hook error: nothing is deleted here");
    expect(read).toContain("PreToolUse:Bash hook error: not today");
  } finally {
    await home.remove();
    await server.close();
  }
});
