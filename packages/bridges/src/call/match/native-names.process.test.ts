import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BridgeSandbox } from "../../testing/bridge-sandbox.ts";
import { readPlan } from "./plan-file.ts";

// A minute after the hooks were written: a plan is not stored in the moment of a change.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 }));
afterEach(() => void vi.useRealTimers());

const BASH = "claude/PreToolUse.Bash";
const WRITE = "claude/PreToolUse.Write";
const CODEX = "codex/PreToolUse.Bash";
const NATIVE = "matcher: { tool: ^Bash$ }";

test("a script that is found by a native name reads the canonical one, and no other", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("reader", { fields: [NATIVE], script: `cat > "${sandbox.root}/event"` });
  await sandbox.send(BASH);
  const event = JSON.parse(readFileSync(join(sandbox.root, "event"), "utf8"));
  expect(event).toMatchObject({ tool_name: "Shell", context: { native: { tool_name: "Bash" } } });
  expect(event).not.toHaveProperty("tool_aliases");
});

test("a hook that only observes is started for a native name, with a stored plan too", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("watcher", { fields: ["async: true", NATIVE], script: "true" });
  await sandbox.send(BASH, { tool_use_id: "1" });
  await sandbox.send(BASH, { tool_use_id: "2" });
  expect(readPlan([findLocations(sandbox.project, { HOME: sandbox.home })])).toBeDefined();
  await sandbox.send(BASH, { tool_use_id: "3" });
  await sandbox.send(WRITE, { tool_use_id: "4" });
  expect(sandbox.jobs).toHaveLength(3);
});

test("a command of a tool without a canonical name is found by Bash as it is by Shell", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { fields: [NATIVE, "action: block", "reason: not here"] });
  const call = { tool_name: "mcp__box__run", tool_input: { cmd: "ls" } };
  expect(await sandbox.send(BASH, call)).toMatchObject({ exit: 2 });
});

test("a result is withheld from the model by a hook for a native name", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("leak", { trigger: "after_tool", fields: [NATIVE], script: "echo leaks >&2; exit 2" });
  expect((await sandbox.send("claude/PostToolUse.Bash")).stderr).toContain("leaks");
});

test.each<[string, (folder: string) => void]>([
  ["its script was changed", (folder) => writeFileSync(join(folder, "scripts", "run.sh"), "exit 0\n")],
  ["it was deleted", (folder) => rmSync(folder, { recursive: true })],
  [
    "its matcher was changed to another tool",
    (folder) => {
      const file = join(folder, "HOOK.md");
      writeFileSync(file, readFileSync(file, "utf8").replace("^Bash$", "^Glob$"));
    },
  ],
])("a trusted hook for a native name still refuses what it checked when %s", async (_, change) => {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("guard", {
    project: sandbox.project,
    fields: ["on_error: block", NATIVE],
    script: "exit 0",
  });
  sandbox.trust(folder);
  expect(await sandbox.send(BASH, { tool_use_id: "1" })).toMatchObject({ exit: 0 });
  change(folder);
  expect(await sandbox.send(BASH, { tool_use_id: "2" })).toMatchObject({ exit: 2 });
  expect(await sandbox.send(WRITE, { tool_use_id: "3" })).toMatchObject({ exit: 0 });
});

test("a known guard for a native name that is gone refuses what it checked, and nothing else", async () => {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("guard", { fields: ["on_error: block", NATIVE], script: "exit 0" });
  expect(await sandbox.send(BASH, { tool_use_id: "1" })).toMatchObject({ exit: 0 });
  rmSync(folder, { recursive: true });
  const refused = await sandbox.send(BASH, { tool_use_id: "2" });
  expect(refused).toMatchObject({ exit: 2, stderr: expect.stringContaining("it is gone") });
  expect(await sandbox.send(WRITE, { tool_use_id: "3" })).toMatchObject({ exit: 0 });
});

test("Codex may not start a shell that is typed into where a hook guards Bash, with a stored plan too", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", {
    fields: ["matcher: { tool: ^Bash$, pattern: 'rm -rf' }", "action: block", "reason: not here"],
  });
  const bash = (command: string) => sandbox.send(CODEX, { tool_input: { command }, tool_use_id: command });
  expect(await bash("bash")).toMatchObject({ exit: 2, stderr: expect.stringContaining("starts bash") });
  expect(await bash("ls")).toMatchObject({ exit: 0 });
  expect(readPlan([findLocations(sandbox.project, { HOME: sandbox.home })])).toBeDefined();
  expect(await bash("python3 -i")).toMatchObject({ exit: 2 });
});
