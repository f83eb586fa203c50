import { rmSync } from "node:fs";
import { describe, expect, inject, test } from "vitest";
import { ClientSandbox, DONE } from "./client-sandbox.ts";
import { LIVE_CLIENTS } from "./live-client.ts";

const pinned = inject("pinnedClients");

describe.each(LIVE_CLIENTS)("$id, the real one", (client) => {
  const found = pinned[client.id] ?? { reason: "it is not pinned" };
  const program = "program" in found ? found.program : undefined;
  const sandboxOf = () => new ClientSandbox(client, program ?? "");
  const done = { text: DONE };

  test.skipIf(program === undefined)(
    "does not run what a hook blocks, runs what it rewrites rewritten or not at all, is held once, and passes what hooks add to the model",
    async () => {
      const sandbox = sandboxOf();
      sandbox.hook("guard", "before_tool", [
        "matcher: { tool: ^Shell$, pattern: FORBIDDEN }",
        "action: block",
        "reason: R-GUARD this is forbidden",
      ]);
      sandbox.hook(
        "rewrite",
        "before_tool",
        ["matcher: { tool: Shell, pattern: ORIGINAL }", "metadata: { can_approve: true }"],
        `echo '{"modified_input":{"command":"touch ${sandbox.file("REWRITTEN")}"}}'`,
      );
      sandbox.hook("about", "before_agent", [], `echo '{"additional_context":"C-PROMPT the build is red"}'`);
      sandbox.hook(
        "gate",
        "before_stop",
        [],
        `[ -e '${sandbox.file("gated")}' ] || { echo 'R-GATE touch gated first' >&2; exit 2; }`,
      );
      await sandbox.install();
      const touch = (name: string) => client.shell(`touch ${sandbox.file(name)}`);
      const steps = [touch("FORBIDDEN"), touch("allowed"), touch("ORIGINAL"), done, touch("gated"), done];
      const { code, output, received } = await sandbox.run({ steps });
      expect(code, output).toBe(0);
      expect(sandbox.has("FORBIDDEN")).toBe(false);
      expect(received).toContain("R-GUARD this is forbidden");
      expect(sandbox.has("allowed")).toBe(true);
      expect(sandbox.has("REWRITTEN")).toBe(client.takesNoChanges !== true);
      expect(sandbox.has("ORIGINAL")).toBe(false);
      expect(received).toContain("C-PROMPT the build is red");
      const isHeld = client.cannotBeHeld !== true;
      expect(received.includes("R-GATE touch gated first")).toBe(isHeld);
      expect(sandbox.has("gated")).toBe(isHeld);
      // A gate's decision stands in the log either way, with what the client was answered.
      const held = sandbox.decisions.filter(
        ({ event, action }) => event === "before_stop" && action === "hold",
      );
      expect(held.map(({ told }) => told)).toEqual([isHeld ? "block" : "nothing"]);
    },
  );

  test.skipIf(program === undefined)("lets nothing through while a guard hangs", async () => {
    const sandbox = sandboxOf();
    sandbox.hook("hung", "before_tool", ["on_error: block"], "exec sleep 300");
    await sandbox.install();
    sandbox.shortenTimeout(4);
    const steps = [client.shell(`touch ${sandbox.file("unjudged")}`), done];
    const { received } = await sandbox.run({ steps, args: client.untrusted ?? [] });
    expect(sandbox.has("unjudged")).toBe(false);
    expect(received).toContain("hung must not be passed over");
  });

  // The terminal is made by a program that other systems have in another form.
  test.skipIf(program === undefined || process.platform !== "linux")(
    "still asks its person what it would have asked without hooks",
    async () => {
      const sandbox = sandboxOf();
      sandbox.hook("agrees", "before_tool", [], `echo '{"decision":"allow"}'`);
      await sandbox.install();
      const steps = [client.onTerminal.shell(`touch ${sandbox.file("asked-about")}`), done];
      const shown = await sandbox.runOnTerminal({ steps });
      expect(shown).toContain(client.onTerminal.question);
      expect(sandbox.has("asked-about")).toBe(false);
    },
  );

  test.skipIf(program === undefined)(
    "is asked nothing by us after uninstall, and has the same bytes in its files as before install",
    async () => {
      const sandbox = sandboxOf();
      sandbox.hook("guard", "before_tool", ["action: block", "reason: R-GUARD"]);
      await sandbox.configure();
      const before = sandbox.clientFiles();
      sandbox.tenterhook(["install", client.id, "--yes"]);
      expect(sandbox.clientFiles()).not.toEqual(before);
      sandbox.tenterhook(["uninstall", client.id]);
      expect(sandbox.clientFiles()).toEqual(before);
      const steps = [client.shell(`touch ${sandbox.file("unguarded")}`), done];
      const { received, output } = await sandbox.run({ steps });
      expect(sandbox.has("unguarded"), output).toBe(true);
      expect(received).not.toContain("R-GUARD");
      expect(sandbox.decisions).toEqual([]);
    },
  );

  test.skipIf(program === undefined).each(["the bundle", "node"])(
    "does not run what a guard must judge when %s is gone",
    async (gone) => {
      const sandbox = sandboxOf();
      sandbox.hook("must-judge", "before_tool", [
        "matcher: { tool: Shell, pattern: FORBIDDEN }",
        "action: block",
        "reason: R-GUARD",
        "on_error: block",
      ]);
      const node = sandbox.ownNode();
      await sandbox.install(node);
      if (gone === "node") rmSync(node);
      else sandbox.removeBundle();
      const steps = [client.shell(`touch ${sandbox.file("unjudged")}`), done];
      const { received, output } = await sandbox.run({ steps });
      expect(sandbox.has("unjudged"), output).toBe(false);
      expect(received).toContain("Tenterhook cannot run here");
    },
  );
});
