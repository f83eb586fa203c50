import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandSandbox, type Ran } from "../testing/command-sandbox.ts";

const BRIDGE = ["bridge", "--client", "claude", "--event", "PreToolUse"];
const PLAIN = { NO_COLOR: "1" };

let calls = 0;
/** A command that a coding agent wants to run. */
function call(sandbox: CommandSandbox, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const tool = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: `call ${++calls}` };
  const input = { session_id: "s1", cwd: sandbox.project, hook_event_name: "PreToolUse", ...tool };
  return sandbox.run(BRIDGE, { input: JSON.stringify(input), env });
}

/** A guard that refuses every command. */
function guarded(fields: readonly string[] = []) {
  const sandbox = new CommandSandbox();
  const parts = { fields: ["on_error: block", ...fields], script: "echo 'not here' >&2; exit 2" };
  sandbox.hook("guard", { scope: "user", ...parts });
  return sandbox;
}

const knownGuards = ({ state }: CommandSandbox) => {
  const path = join(state, "known-guards.json");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

test("one command enforces a hook that was tried, and another one tries it again", async () => {
  const sandbox = guarded(["enforce: false"]);
  expect(await call(sandbox)).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(knownGuards(sandbox)).not.toContain('guard"');
  const on = await sandbox.onTerminal(["enforce", "guard"], [], PLAIN);
  expect([on.code, on.stdout]).toEqual([0, expect.stringContaining("guard is enforced in")]);
  expect(await call(sandbox)).toMatchObject({ code: 2, stderr: expect.stringContaining("not here") });
  expect(knownGuards(sandbox)).toContain('"guard"');
  const again = await sandbox.onTerminal(["enforce", "guard"], [], PLAIN);
  expect(again.stdout).toContain("guard was enforced already.");
  const off = await sandbox.onTerminal(["enforce", "guard", "--off"], [], PLAIN);
  expect([off.code, off.stdout]).toEqual([0, expect.stringContaining("guard is not enforced in")]);
  expect(knownGuards(sandbox)).not.toContain('"guard"');
  expect(await call(sandbox)).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("of two hooks with one name, of a project and of one inside it, the one that is not enforced is enforced", async () => {
  const sandbox = new CommandSandbox();
  const outer = { fields: ["on_error: block"], script: "exit 0" };
  const inner = join(sandbox.project, "inner");
  sandbox.hook("guard", outer);
  expect((await sandbox.onTerminal(["trust"], ["y"])).code).toBe(0);
  sandbox.writeHook(join(inner, ".agents", "hooks", "guard"), { ...outer, fields: ["enforce: false"] });
  expect((await sandbox.onTerminal(["trust"], ["y"], PLAIN, inner)).code).toBe(0);
  const listed = async () => {
    const { hooks } = (await sandbox.json(["list"], { cwd: inner })) as { hooks: { enforce: boolean }[] };
    return hooks.map(({ enforce }) => enforce).sort();
  };
  expect(await listed()).toEqual([false, true]);
  const { stdout } = await sandbox.onTerminal(["enforce", "guard"], [], PLAIN, inner);
  expect(stdout).toContain("guard is enforced in");
  expect(await listed()).toEqual([true, true]);
});

test("the audit trail says what it would have done, and the terminal in words", async () => {
  const sandbox = guarded(["enforce: false"]);
  await call(sandbox);
  const [record] = readFileSync(sandbox.auditFile, "utf8").trim().split("\n");
  expect(JSON.parse(record ?? "")).toMatchObject({
    outcome: "proceed",
    action: "go_on",
    entries: [{ hook: "guard", verdict: "would_block", reason: "not here" }],
  });
  const { stdout } = await sandbox.run(["log"], { env: PLAIN });
  expect(stdout).toContain("guard would have blocked: not here");
});

test("--off confirms what was set by hand, after a refusal that names the command", async () => {
  const sandbox = guarded();
  expect((await call(sandbox)).code).toBe(2);
  sandbox.write(join(sandbox.userHooks, "hooks.toml"), "[hooks.guard]\nenforce = false\n");
  expect((await call(sandbox)).stderr).toContain("tenterhook enforce guard --off");
  expect((await sandbox.onTerminal(["enforce", "guard", "--off"])).code).toBe(0);
  expect(await call(sandbox)).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("keeps the other settings of hooks.toml", async () => {
  const sandbox = guarded();
  const toml = join(sandbox.userHooks, "hooks.toml");
  sandbox.write(
    toml,
    "# mine\n[hooks.guard]\npriority = 5\nenforce = true # for now\n\n[hooks.other]\nenforce = true\n",
  );
  expect((await sandbox.onTerminal(["enforce", "guard", "--off"])).code).toBe(0);
  expect(sandbox.read(toml)).toBe(
    "# mine\n[hooks.guard]\npriority = 5\nenforce = false\n\n[hooks.other]\nenforce = true\n",
  );
});

test("by its folder, a hook that is enforced already is left as it is", async () => {
  const sandbox = guarded();
  const folder = join(sandbox.userHooks, "guard");
  const { code, stdout } = await sandbox.onTerminal(["enforce", folder], [], PLAIN);
  expect([code, stdout]).toEqual([0, "guard was enforced already.\n"]);
  expect(existsSync(join(sandbox.userHooks, "hooks.toml"))).toBe(false);
});

test("is refused inside an agent, and for a hook that does not exist", async () => {
  const sandbox = guarded();
  const refused = await sandbox.run(["enforce", "guard", "--off"], { env: { CLAUDECODE: "1" } });
  expect(refused.code).not.toBe(0);
  expect(existsSync(join(sandbox.userHooks, "hooks.toml"))).toBe(false);
  const unknown = await sandbox.onTerminal(["enforce", "gard"], [], PLAIN);
  expect([unknown.code, unknown.stdout]).toEqual([
    1,
    expect.stringContaining('there is no hook "gard" here'),
  ]);
});

test("list, explain, check and try show that a hook is not enforced", async () => {
  const sandbox = guarded(["enforce: false"]);
  sandbox.hook("other", { scope: "user", script: "exit 0" });
  const run = async (...args: string[]) => (await sandbox.run(args, { env: PLAIN })).stdout;
  expect(await run("list")).toMatch(/enforced[\s\S]*guard .* no\n/);
  const listed = JSON.parse(await run("list", "--json")) as { hooks: { name: string; enforce: boolean }[] };
  expect(listed.hooks.map(({ name, enforce }) => [name, enforce])).toEqual([
    ["guard", false],
    ["other", true],
  ]);
  const event = ["before_tool", "--tool", "Shell", "--input", '{"command":"ls"}'];
  expect(await run("explain", ...event)).toMatch(/guard .* runs, not enforced/);
  expect(await run("check")).toContain("not enforced: guard");
  expect((await sandbox.onTerminal(["enforce", "other", "--off"])).code).toBe(0);
  expect(await run("check")).toContain("not enforced: guard, other");
  const tried = await run("try", ...event);
  expect(tried).toMatch(/guard +would have blocked/);
  expect(tried).not.toMatch(/blocked by guard/);
});
