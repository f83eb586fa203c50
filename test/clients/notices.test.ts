import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DONE } from "./client-sandbox.ts";
import { LIVE_CLIENTS } from "./live-clients.ts";
import { newSandbox } from "./new-sandbox.ts";

/** The clients that show text of a hook to their person without a terminal too. */
const SHOWING = ["claude", "copilot", "gemini", "opencode", "qwen"];
const clients = LIVE_CLIENTS.filter(({ id }) => SHOWING.includes(id));

describe.each(clients)("$id, the real one", (client) => {
  const lax = ["matcher: { tool: Shell, pattern: PASSED }", "on_error: continue"];

  test("shows its person that a hook failed whose call passed", async () => {
    const sandbox = newSandbox(client);
    sandbox.hook("fails-often", "before_tool", lax, "exit 7");
    await sandbox.install();
    const steps = [client.shell(`touch ${sandbox.file("PASSED")}`), { text: DONE }];
    const { output } = await sandbox.run({ steps });
    expect(sandbox.has("PASSED"), output).toBe(true);
    expect(output).toContain("fails-often");
  });

  test("shows its person that nothing was checked when node is gone", async () => {
    const sandbox = newSandbox(client);
    sandbox.hook("fails-often", "before_tool", lax, "exit 7");
    const node = sandbox.ownNode();
    await sandbox.install(node);
    rmSync(node);
    const steps = [client.shell(`touch ${sandbox.file("PASSED")}`), { text: DONE }];
    const { output } = await sandbox.run({ steps });
    expect(sandbox.has("PASSED"), output).toBe(true);
    expect(output).toContain("without being checked by any hook");
  });
});
