import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DENY, World } from "./world.ts";

const COMMAND = fileURLToPath(new URL("../../packages/cli/dist/bin/tenterhook.js", import.meta.url));

/** A command of a coding agent, whose bridge records the user's guards. */
function callBridge(world: World): void {
  const call = { session_id: "s", tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "1" };
  const input = JSON.stringify({ cwd: world.project, hook_event_name: "PreToolUse", ...call });
  const args = [COMMAND, "bridge", "--client", "claude", "--event", "PreToolUse"];
  const env = { PATH: process.env.PATH, HOME: world.home };
  execFileSync(process.execPath, args, { input, env, cwd: world.project });
}

test("a program's hooks answer for a guard that a coding agent's bridge has seen, while it runs and afterwards", async () => {
  const world = new World();
  const fields = { on_error: "block", matcher: { tool: "Shell" } };
  const folder = world.hook(world.userHooks, "guard", fields, "exit 0");
  callBridge(world);
  const running = world.hooks();
  expect((await world.shell(running)).action).toBe("go_on");
  rmSync(folder, { recursive: true });
  for (const hooks of [running, world.hooks()]) {
    const { action, reason, error } = await world.shell(hooks);
    expect([action, error?.code]).toEqual(["refuse", "hook_gone"]);
    expect(reason).toMatch(/hook "guard" on before_tool: it is gone: .*tenterhook remove guard/);
  }
  world.hook(world.userHooks, "guard", fields, DENY);
  expect((await world.shell(running)).reason).toBe("denied");
});

test("a guard with on_error: continue that is gone is a failure that decides nothing", async () => {
  const world = new World();
  const folder = world.hook(world.userHooks, "guard", {}, "exit 0");
  callBridge(world);
  rmSync(folder, { recursive: true });
  const { action, failures } = await world.shell(world.hooks());
  expect([action, failures.map(({ code }) => code)]).toEqual(["go_on", ["hook_gone"]]);
});

test("a program records no guards itself: a hook that no bridge has seen can be removed", async () => {
  const world = new World();
  const folder = world.hook(world.userHooks, "guard", { on_error: "block" }, "exit 0");
  const hooks = world.hooks();
  await world.shell(hooks);
  rmSync(folder, { recursive: true });
  expect(await world.shell(hooks)).toMatchObject({ action: "go_on", failures: [] });
});

test("a damaged list of guards is reported, and the hooks run", async () => {
  const world = new World();
  world.hook(world.userHooks, "guard", {}, DENY);
  world.write(join(world.home, ".local", "state", "tenterhook", "known-guards.json"), "{");
  expect((await world.shell(world.hooks())).reason).toBe("denied");
  expect(world.logged.join()).toMatch(/known-guards\.json: error: the list of your guards cannot be read/);
});

test("what is tried in a folder on purpose does not fail for guards that are gone", async () => {
  const world = new World();
  const folder = world.hook(world.userHooks, "guard", { on_error: "block" }, "exit 0");
  callBridge(world);
  writeFileSync(join(folder, "HOOK.md"), "");
  expect(await world.shell(world.hooks({ trustAll: true }))).toMatchObject({ action: "go_on" });
});
