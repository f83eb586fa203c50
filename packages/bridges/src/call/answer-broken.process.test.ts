import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BridgeSandbox } from "../testing/bridge-sandbox.ts";

/** A call of each client whose content cannot be read. */
const UNREADABLE = [
  ["codex/PreToolUse.apply_patch", { tool_input: { command: "no patch" } }],
  ["codex/PreToolUse.Bash", { tool_input: ["rm"] }],
  ["kimi/PreToolUse.Bash", { tool_input: 7 }],
  ["droid/PreToolUse.Execute", { tool_name: "" }],
  ["opencode/PreToolUse.bash", { tool_input: "rm" }],
  ["copilot-pascal/PreToolUse.Bash", { tool_input: ["rm"] }],
  ["claude/PreToolUse.Bash", { tool_input: ["rm"] }],
] as const;

test.each(UNREADABLE)(
  "an unreadable call (%s) is refused by a guard of the project that the session began in",
  async (name, changes) => {
    const sandbox = new BridgeSandbox();
    const elsewhere = join(sandbox.root, "elsewhere");
    mkdirSync(elsewhere);
    sandbox.trust(sandbox.hook("guard", { project: sandbox.project, script: "exit 0" }));
    await sandbox.send(name);
    const { stdout, stderr, exit } = await sandbox.send(
      name,
      { ...changes, cwd: elsewhere },
      { cwd: elsewhere },
    );
    expect({ stdout, exit }).not.toEqual({ stdout: "", exit: 0 });
    expect(stderr).toContain("guard must not be passed over");
  },
);

test.each(UNREADABLE)(
  "an unreadable call (%s) is refused by a guard of the folder that the payload names",
  async (name, changes) => {
    const sandbox = new BridgeSandbox();
    sandbox.trust(sandbox.hook("guard", { project: sandbox.project, script: "exit 0" }));
    const { exit } = await sandbox.send(name, changes, { cwd: "/" });
    expect(exit).toBe(2);
  },
);

test("a call beyond the limits of JSON is refused by a guard of the project that the session began in", async () => {
  const sandbox = new BridgeSandbox();
  const elsewhere = join(sandbox.root, "elsewhere");
  mkdirSync(elsewhere);
  sandbox.trust(sandbox.hook("guard", { project: sandbox.project, script: "exit 0" }));
  await sandbox.send("codex/PreToolUse.Bash");
  const payload = sandbox.payload("codex/PreToolUse.Bash", { cwd: elsewhere, tool_input: "DEEP" });
  const stdin = JSON.stringify(payload).replace('"DEEP"', `${"[".repeat(5_000)}${"]".repeat(5_000)}`);
  expect(await sandbox.send("codex/PreToolUse.Bash", {}, { cwd: elsewhere, stdin })).toMatchObject({
    exit: 2,
  });
});

/** Copilot, which reads the configuration of Claude Code too. */
const READER = { client: "claude", env: { COPILOT_HOOK_DIR: "/hooks" } };

test("a client that reads the files of another one gets an unreadable call refused in its own form", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { trigger: "before_agent", fields: ["on_error: block"], script: "exit 0" });
  const call = { ...READER, event: "UserPromptSubmit", stdin: "{" };
  const { stdout, exit } = await sandbox.send("copilot-pascal/UserPromptSubmit", {}, call);
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ decision: "block" });
});

test("a permission request of Copilot is checked at the entry of Claude Code's configuration", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", {
    trigger: "permission_request",
    fields: ["on_error: block", "matcher:", "  pattern: rm"],
    script: "echo no >&2; exit 2",
  });
  const name = "copilot-pascal/permissionRequest.bash";
  const call = { ...READER, event: "PermissionRequest" };
  expect(await sandbox.send(name, {}, call)).toEqual({ stdout: "", stderr: "", exit: 0 });
  const { stdout } = await sandbox.send(name, { toolInput: { command: "rm x" } }, call);
  expect(JSON.parse(stdout)).toEqual({ behavior: "deny", message: "no" });
});

test.each([
  ["claude/SessionStart", "session_start", "claude/PreToolUse.Bash"],
  ["kimi/SessionStart", "session_start", "kimi/PreToolUse.Bash"],
] as const)(
  "what follows %s is refused when that could not be checked and cannot be refused",
  async (name, trigger, next) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("guard", { trigger, fields: ["on_error: block"], script: "exit 0" });
    const session = { session_id: "s1" };
    await sandbox.send(name, { ...session, cwd: `/${"a/".repeat(3_000)}` });
    expect(await sandbox.send(next, session)).toMatchObject({ exit: 2 });
    expect(await sandbox.send(next, { session_id: "s2" })).toMatchObject({ exit: 0 });
  },
);
