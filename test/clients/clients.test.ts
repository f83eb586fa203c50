import { rmSync } from "node:fs";
import { loadClients } from "@tenterhook/bridges";
import { describe, expect, inject, test } from "vitest";
import { type ClientSandbox, DONE } from "./client-sandbox.ts";
import { LIVE_CLIENTS } from "./live-clients.ts";
import { newSandbox } from "./new-sandbox.ts";

const pinned = inject("pinnedClients");
const absent = LIVE_CLIENTS.filter(({ id }) => "absence" in (pinned[id] ?? {}));
const present = LIVE_CLIENTS.filter((client) => !absent.includes(client));

/** On these systems npm lacks the programs of these clients. */
const ABSENT: Readonly<Record<string, readonly string[]>> = {
  "linux-x64": [],
  "linux-arm64": ["droid", "cline"],
};

test("every coding agent runs here for which npm has a program", async () => {
  const all = (await loadClients()).map(({ id }) => id);
  expect(LIVE_CLIENTS.map(({ id }) => id).sort()).toEqual([...all].sort());
  expect(absent.map(({ id }) => id)).toEqual(ABSENT[`${process.platform}-${process.arch}`]);
});

describe.each(present)("$id, the real one", (client) => {
  const done = { text: DONE };
  const usesAllHooks = async (sandbox: ClientSandbox) => {
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
    const calls = [touch("allowed"), touch("ORIGINAL"), touch("FORBIDDEN"), touch("after")];
    const { code, output, received } = await sandbox.run({ steps: [...calls, done, touch("gated"), done] });
    expect(code, output).toBe(0);
    expect(sandbox.has("FORBIDDEN")).toBe(false);
    const goesOn = client.refusalEndsRun !== true;
    expect(received.includes("R-GUARD this is forbidden")).toBe(goesOn);
    expect(sandbox.has("after")).toBe(goesOn);
    expect(sandbox.has("allowed")).toBe(true);
    expect(sandbox.has("REWRITTEN")).toBe(client.takesNoChanges !== true);
    expect(sandbox.has("ORIGINAL")).toBe(false);
    expect(received.includes("C-PROMPT the build is red")).toBe(client.deliversNoPrompt !== true);
    const isKeptRunning = client.cannotBeKeptRunning !== true;
    expect(received.includes("R-GATE touch gated first")).toBe(isKeptRunning);
    expect(sandbox.has("gated")).toBe(isKeptRunning);
    // A gate's decision stands in the log either way, with what the client was answered.
    const kept = sandbox.decisions.filter(
      ({ event, action }) => event === "before_stop" && action === "hold",
    );
    expect(kept.map(({ reported }) => reported)).toEqual(goesOn ? [isKeptRunning ? "block" : "nothing"] : []);
  };

  test("does not run what a hook blocks, runs what it rewrites rewritten or not at all, is kept running once, and passes what hooks add to the model", () =>
    usesAllHooks(newSandbox(client)));

  test("begins nothing when a hook refuses the prompt", async () => {
    const sandbox = newSandbox(client);
    sandbox.hook("no-prompt", "before_agent", ["action: block", "reason: R-PROMPT"]);
    await sandbox.install();
    const { received, output } = await sandbox.run({
      steps: [client.shell(`touch ${sandbox.file("begun")}`), done],
    });
    const isDelivered = client.deliversNoPrompt !== true;
    expect(received === "", output).toBe(isDelivered);
    expect(sandbox.has("begun")).toBe(!isDelivered);
  });

  test("passes objections to results on, replaces a result or warns of it, runs nothing that a person must decide about, and stops at last", async () => {
    const sandbox = newSandbox(client);
    const afterTool = (name: string, pattern: string, answer: string) =>
      sandbox.hook(name, "after_tool", [`matcher: { pattern: ${pattern} }`], answer);
    afterTool("objects", "OBJECTED", "echo 'R-OBJECTION look again' >&2; exit 2");
    afterTool("replaces", "SECRET", `echo '{"modified_result":"R-REPLACED"}'`);
    sandbox.hook(
      "asks",
      "before_tool",
      ["matcher: { pattern: ASKED }"],
      `echo '{"decision":"ask","reason":"R-ASKED"}'`,
    );
    sandbox.hook("never", "before_stop", [], "echo 'R-GATE never' >&2; exit 2");
    await sandbox.install();
    const asked = client.shell(`touch ${sandbox.file("ASKED")}`);
    const calls = [client.shell("echo OBJECTED"), client.shell("echo SECRET-$((40+2))"), asked];
    const { received, output } = await sandbox.run({ steps: [...calls, done, done, done, done, done] });
    expect(sandbox.has("ASKED"), output).toBe(false);
    const isTold = client.objectsLater !== true;
    expect(received.includes("R-OBJECTION look again")).toBe(isTold);
    if (client.replacesResults === true) {
      expect(received).toContain("R-REPLACED");
      expect(received).not.toContain("SECRET-42");
    } else expect(received.includes("changed the result of this call")).toBe(isTold);
    const kept = sandbox.decisions.filter(
      ({ event, reported }) => event === "before_stop" && reported === "block",
    );
    expect(kept).toHaveLength(
      client.refusalEndsRun || client.cannotBeKeptRunning ? 0 : (client.timesKeptRunning ?? 3),
    );
  });

  test("lets nothing through while a guard hangs", async () => {
    const sandbox = newSandbox(client);
    sandbox.hook("hung", "before_tool", ["on_error: block"], "exec sleep 300");
    await sandbox.install();
    // The bridge answers a tenth of it before the client gives up, which on a busy machine must be enough to print it.
    sandbox.shortenTimeout(10);
    const steps = [client.shell(`touch ${sandbox.file("unchecked")}`), done];
    const { received } = await sandbox.run({ steps, args: client.untrusted ?? [] });
    expect(sandbox.has("unchecked")).toBe(false);
    expect(received.includes("hung must not be passed over")).toBe(client.refusalEndsRun !== true);
  });

  // The terminal is made by a program that other systems have in another form.
  test.runIf(process.platform === "linux")(
    "still asks its person what it would have asked without hooks",
    async () => {
      const sandbox = newSandbox(client);
      sandbox.hook("agrees", "before_tool", [], `echo '{"decision":"allow"}'`);
      await sandbox.install();
      const steps = [client.onTerminal.shell(`touch ${sandbox.file("asked-about")}`), done];
      const shown = await sandbox.runOnTerminal({ steps });
      expect(shown).toContain(client.onTerminal.question);
      expect(sandbox.has("asked-about")).toBe(false);
    },
  );

  test("is asked nothing by us after uninstall, and has the same bytes in its files as before install", async () => {
    const sandbox = newSandbox(client);
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
  });

  test.each(["the bundle", "node"])("does not run what a guard must check when %s is gone", async (gone) => {
    const sandbox = newSandbox(client);
    sandbox.hook("must-check", "before_tool", [
      "matcher: { tool: Shell, pattern: FORBIDDEN }",
      "action: block",
      "reason: R-GUARD",
      "on_error: block",
    ]);
    const node = sandbox.ownNode();
    await sandbox.install(node);
    if (gone === "node") rmSync(node);
    else sandbox.removeBundle();
    const steps = [client.shell(`touch ${sandbox.file("unchecked")}`), done];
    const { received, output } = await sandbox.run({ steps });
    expect(sandbox.has("unchecked"), output).toBe(false);
    expect(received.includes("Tenterhook cannot run here")).toBe(client.refusalEndsRun !== true);
  });
});
