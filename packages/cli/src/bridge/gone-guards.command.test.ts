import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandSandbox, type Ran } from "../testing/command-sandbox.ts";

const BRIDGE = ["bridge", "--client", "claude", "--event", "PreToolUse"];

let calls = 0;
function call(sandbox: CommandSandbox, command: string): Promise<Ran> {
  const tool = { tool_name: "Bash", tool_input: { command }, tool_use_id: `call ${++calls}` };
  const input = { session_id: "s1", cwd: sandbox.project, hook_event_name: "PreToolUse", ...tool };
  return sandbox.run(BRIDGE, { input: JSON.stringify(input) });
}

/** Calls until a process has stored a plan: none is stored while a change in the same tick would not show. */
async function storedPlan(sandbox: CommandSandbox): Promise<void> {
  const folder = join(sandbox.home, ".cache", "tenterhook", "bridge");
  const list = join(sandbox.home, ".local", "state", "tenterhook", "known-guards.json");
  for (let attempt = 0; attempt < 50; attempt++) {
    expect(await call(sandbox, "ls")).toEqual({ code: 0, stdout: "", stderr: "" });
    const [plan] = existsSync(folder) ? readdirSync(folder) : [];
    if (plan !== undefined && statSync(join(folder, plan)).mtimeMs > statSync(list).mtimeMs) return;
  }
  throw new Error("no plan was stored");
}

test("a stored plan that no hook matches does not pass a guard that is gone", async () => {
  const sandbox = new CommandSandbox();
  const fields = ["on_error: block", "matcher:", "  pattern: push"];
  const folder = sandbox.hook("guard", { scope: "user", fields, script: "exit 0" });
  await storedPlan(sandbox);
  rmSync(folder, { recursive: true });
  expect(await call(sandbox, "ls")).toEqual({ code: 0, stdout: "", stderr: "" });
  await storedPlan(sandbox);
  expect(await call(sandbox, "git push")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("tenterhook remove guard"),
  });
});

test("calls at the same moment are all refused when the hooks root is gone", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { scope: "user", fields: ["on_error: block"], script: "exit 0" });
  await call(sandbox, "ls");
  renameSync(sandbox.userHooks, join(sandbox.home, "moved"));
  const ran = await Promise.all(Array.from({ length: 6 }, () => call(sandbox, "ls")));
  expect(ran.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2]);
});

test("a guard that is gone is refused for when a folder is in the place of the list of guards", async () => {
  const sandbox = new CommandSandbox();
  const folder = sandbox.hook("guard", { scope: "user", fields: ["on_error: block"], script: "exit 0" });
  await call(sandbox, "ls");
  rmSync(folder, { recursive: true });
  const list = join(sandbox.home, ".local", "state", "tenterhook", "known-guards.json");
  rmSync(list);
  execFileSync("mkdir", ["-p", join(list, "full")]);
  for (const command of ["ls", "ls again"])
    expect(await call(sandbox, command)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /by running tenterhook remove guard yourself in a terminal\. Its onError/,
      ),
    });
});

test.each([
  ["block", 2],
  ["continue", 0],
])("a guard whose script became empty is answered for by on_error: %s", async (onError, code) => {
  const sandbox = new CommandSandbox();
  const fields = [`on_error: ${onError}`];
  const folder = sandbox.hook("guard", { scope: "user", fields, script: "exit 0" });
  await call(sandbox, "ls");
  truncateSync(join(folder, "scripts", "run.sh"));
  const ran = await call(sandbox, "ls");
  expect([ran.code, ran.stdout]).toEqual([code, expect.stringContaining("run.sh is empty")]);
});

test("a state folder that became read-only still refuses for a guard that is gone", async () => {
  const sandbox = new CommandSandbox();
  const folder = sandbox.hook("guard", { scope: "user", fields: ["on_error: block"], script: "exit 0" });
  await call(sandbox, "ls");
  rmSync(folder, { recursive: true });
  const state = join(sandbox.home, ".local", "state", "tenterhook");
  // Folders in place of the files that are written next, which root can no more replace than any other user.
  for (const name of ["known-guards.json.lock", "bridge/guards.lock"])
    execFileSync("mkdir", ["-p", join(state, name, "full")]);
  const begun = performance.now();
  expect((await call(sandbox, "ls")).code).toBe(2);
  expect(performance.now() - begun).toBeLessThan(20_000);
});
