import { findLocations } from "@tenterhook/file-hooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type BridgeHookParts, BridgeSandbox } from "../../testing/bridge-sandbox.ts";
import { readPlan } from "../match/plan-file.ts";

// A minute after the hooks were written: a plan is not stored in the moment of a change.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 }));
afterEach(() => void vi.useRealTimers());

const CODEX = "codex/PreToolUse.Bash";
const GUARD = {
  fields: ["matcher: { tool: ^Shell$, pattern: 'rm -rf' }", "action: block", "reason: not here"],
};
const bash = (command: string, tool_use_id = command) => ({ tool_input: { command }, tool_use_id });

test("Codex may not start a shell that is typed into where a hook guards Shell, with a stored plan too", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", GUARD);
  const first = await sandbox.send(CODEX, bash("bash"));
  expect(first).toMatchObject({ exit: 2, stderr: expect.stringMatching(/starts bash.*write_stdin.*guard/) });
  // The first call stores the guards, which is a change; the second one stores the plan.
  await sandbox.send(CODEX, bash("ls", "0"));
  expect(readPlan([findLocations(sandbox.project, { HOME: sandbox.home })])).toBeDefined();
  expect(await sandbox.send(CODEX, bash("python3 -i"))).toMatchObject({ exit: 2 });
  expect(await sandbox.send(CODEX, bash("ls"))).toEqual({ stdout: "", stderr: "", exit: 0 });
  expect(await sandbox.send(CODEX, bash("bash -c ls"))).toEqual({ stdout: "", stderr: "", exit: 0 });
  expect(sandbox.log[0]).toMatchObject({
    outcome: "block",
    action: "refuse",
    decided_by: "guard",
    tool_name: "Shell",
    subject: "bash",
    reported: "block",
  });
});

test.each<[string, BridgeHookParts]>([
  ["no hook at all", { trigger: "session_start", script: "true" }],
  ["a hook of files", { fields: ["matcher: { tool: '^(Write|Edit)File$' }"], script: "exit 2" }],
  ["a hook that only observes", { fields: ["async: true"], script: "true" }],
])("with %s, Codex may start a shell", async (_, parts) => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("other", parts);
  expect(await sandbox.send(CODEX, bash("bash", "1"))).toMatchObject({ exit: 0 });
  expect(await sandbox.send(CODEX, bash("bash", "2"))).toMatchObject({ exit: 0 });
});

test("a project's hook that was never trusted does not keep Codex from starting a shell", async () => {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("guard", { ...GUARD, project: sandbox.project });
  expect(await sandbox.send(CODEX, bash("bash", "1"))).toMatchObject({ exit: 0 });
  sandbox.trust(folder);
  expect(await sandbox.send(CODEX, bash("bash", "2"))).toMatchObject({ exit: 2 });
});

test("the reason of a hook that refuses the shell itself comes first", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { fields: ["matcher: { tool: Shell }"], script: "echo mine >&2; exit 2" });
  expect(await sandbox.send(CODEX, bash("bash"))).toMatchObject({ exit: 2, stderr: "mine\n" });
});

test("a command that a hook changed into a shell is refused", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("change", {
    fields: ["matcher: { tool: Shell }", "metadata: { can_approve: true }"],
    script: `echo '{"modified_input":{"command":"bash"}}'`,
  });
  expect(await sandbox.send(CODEX, bash("ls"))).toMatchObject({ exit: 2 });
});

test("a client that shows hooks what is typed may start shells", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", GUARD);
  expect(await sandbox.send("claude/PreToolUse.Bash", bash("bash"))).toMatchObject({ exit: 0, stdout: "" });
});
