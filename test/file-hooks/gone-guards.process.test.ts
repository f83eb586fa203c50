import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

const COMMAND = fileURLToPath(new URL("../../packages/cli/dist/bin/tenterhook.js", import.meta.url));

/** A command of a coding agent, whose bridge records the user's guards. */
function callBridge(sandbox: FileHooksSandbox): void {
  const call = { session_id: "s", tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "1" };
  const input = JSON.stringify({ cwd: sandbox.project, hook_event_name: "PreToolUse", ...call });
  const args = [COMMAND, "bridge", "--client", "claude", "--event", "PreToolUse"];
  const env = { PATH: process.env.PATH, HOME: sandbox.home };
  execFileSync(process.execPath, args, { input, env, cwd: sandbox.project });
}

test("a program's hooks answer for a guard that a coding agent's bridge has seen, while it runs and afterwards", async () => {
  const sandbox = new FileHooksSandbox();
  const fields = { on_error: "block", matcher: { tool: "Shell" } };
  const folder = sandbox.hook(sandbox.userHooks, "guard", fields, "exit 0");
  callBridge(sandbox);
  const running = sandbox.hooks();
  expect((await sandbox.shell(running)).action).toBe("go_on");
  rmSync(folder, { recursive: true });
  for (const hooks of [running, sandbox.hooks()]) {
    const { action, reason, error } = await sandbox.shell(hooks);
    expect([action, error?.code]).toEqual(["refuse", "hook_gone"]);
    expect(reason).toMatch(/hook "guard" on before_tool: it is gone: .*tenterhook remove guard/);
  }
  sandbox.hook(sandbox.userHooks, "guard", fields, DENY);
  expect((await sandbox.shell(running)).reason).toBe("denied");
});

test("a guard with on_error: continue that is gone is a failure that decides nothing", async () => {
  const sandbox = new FileHooksSandbox();
  const folder = sandbox.hook(sandbox.userHooks, "guard", {}, "exit 0");
  callBridge(sandbox);
  rmSync(folder, { recursive: true });
  const { action, failures } = await sandbox.shell(sandbox.hooks());
  expect([action, failures.map(({ code }) => code)]).toEqual(["go_on", ["hook_gone"]]);
});

test("a program records no guards itself: a hook that no bridge has seen can be removed", async () => {
  const sandbox = new FileHooksSandbox();
  const folder = sandbox.hook(sandbox.userHooks, "guard", { on_error: "block" }, "exit 0");
  const hooks = sandbox.hooks();
  await sandbox.shell(hooks);
  rmSync(folder, { recursive: true });
  expect(await sandbox.shell(hooks)).toMatchObject({ action: "go_on", failures: [] });
});

test("a damaged list of guards is reported, and the hooks run", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
  sandbox.write(join(sandbox.home, ".local", "state", "tenterhook", "known-guards.json"), "{");
  expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
  expect(sandbox.logged.join()).toMatch(/known-guards\.json: error: the list of your guards cannot be read/);
});

test("what is tried in a folder on purpose does not fail for guards that are gone", async () => {
  const sandbox = new FileHooksSandbox();
  const folder = sandbox.hook(sandbox.userHooks, "guard", { on_error: "block" }, "exit 0");
  callBridge(sandbox);
  writeFileSync(join(folder, "HOOK.md"), "");
  expect(await sandbox.shell(sandbox.hooks({ trustAll: true }))).toMatchObject({ action: "go_on" });
});
