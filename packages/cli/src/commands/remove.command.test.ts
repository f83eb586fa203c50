import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox, type Ran } from "../testing/command-sandbox.ts";

const BRIDGE = ["bridge", "--client", "claude", "--event", "PreToolUse"];
const PLAIN = { NO_COLOR: "1" };

let calls = 0;
/** A command that a coding agent wants to run. */
function call(sandbox: CommandSandbox): Promise<Ran> {
  const tool = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: `call ${++calls}` };
  const input = { session_id: "s1", cwd: sandbox.project, hook_event_name: "PreToolUse", ...tool };
  return sandbox.run(BRIDGE, { input: JSON.stringify(input) });
}

/** A guard of the user that lets every command pass, which the bridge has seen. */
async function guarded(name = "guard") {
  const sandbox = new CommandSandbox();
  const folder = sandbox.hook(name, { scope: "user", fields: ["on_error: block"], script: "exit 0" });
  expect(await call(sandbox)).toMatchObject({ code: 0 });
  return { sandbox, folder };
}

describe("remove", () => {
  test("shows the folder, asks, removes it, and coding agents go on", async () => {
    const { sandbox, folder } = await guarded();
    const { code, stdout } = await sandbox.onTerminal(["remove", "guard"], ["y"], PLAIN);
    expect(stdout).toMatch(/guard \S*agents\/hooks\/guard\n {2}HOOK\.md\n {2}scripts\n/);
    expect(stdout).toContain("Removed: ");
    expect([code, existsSync(folder)]).toEqual([0, false]);
    expect(await call(sandbox)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("removes nothing without a yes", async () => {
    const { sandbox, folder } = await guarded();
    const { code, stdout } = await sandbox.onTerminal(["remove", "guard"], ["n"], PLAIN);
    expect(stdout).toContain("Nothing was removed.");
    expect([code, existsSync(folder)]).toEqual([1, true]);
  });

  test("confirms what a person removed by hand, with the command of the refusal and without a question", async () => {
    const { sandbox, folder } = await guarded();
    rmSync(folder, { recursive: true });
    const refused = await call(sandbox);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("tenterhook remove guard") });
    const { code, stdout } = await sandbox.onTerminal(["remove", "guard"], [], PLAIN);
    expect(stdout).toBe("Confirmed: guard is no longer expected.\n");
    expect(code).toBe(0);
    expect(await call(sandbox)).toEqual({ code: 0, stdout: "", stderr: "" });
    const again = await sandbox.onTerminal(["remove", "guard"], [], PLAIN);
    expect(again).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('there is no hook "guard" here'),
    });
  });

  test("confirms when the whole hooks root is gone", async () => {
    const { sandbox } = await guarded();
    renameSync(sandbox.userHooks, join(sandbox.home, "moved"));
    expect((await call(sandbox)).code).toBe(2);
    expect((await sandbox.onTerminal(["remove", "guard"])).code).toBe(0);
    expect((await call(sandbox)).code).toBe(0);
  });

  test("--keep-files confirms a changed trigger, and keeps the hook", async () => {
    const { sandbox, folder } = await guarded();
    sandbox.hook("guard", { scope: "user", trigger: "after_tool", script: "exit 0" });
    const refused = await call(sandbox);
    expect(refused.stderr).toContain("tenterhook remove guard --keep-files");
    expect((await sandbox.onTerminal(["remove", "guard", "--keep-files"])).code).toBe(0);
    expect([(await call(sandbox)).code, existsSync(folder)]).toEqual([0, true]);
  });

  test("--keep-files is refused for a guard that still exists", async () => {
    const { sandbox } = await guarded();
    const { code, stdout } = await sandbox.onTerminal(["remove", "guard", "--keep-files"], [], PLAIN);
    expect(stdout).toContain("there is nothing to confirm");
    expect(code).toBe(1);
  });

  test("--yes does not ask, and --json prints the result", async () => {
    const { sandbox, folder } = await guarded();
    const { code, stdout } = await sandbox.onTerminal(["remove", "guard", "--yes", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ name: "guard", scope: "user", folder, result: "removed" });
    expect(code).toBe(0);
  });

  test("removes a broken hook by the name of its folder", async () => {
    const { sandbox, folder } = await guarded();
    writeFileSync(join(folder, "HOOK.md"), "");
    expect((await call(sandbox)).stderr).toContain("HOOK.md cannot be used");
    expect((await sandbox.onTerminal(["remove", "guard", "--yes"])).code).toBe(0);
    expect([existsSync(folder), (await call(sandbox)).code]).toEqual([false, 0]);
  });

  test("removes a link, not what it leads to", async () => {
    const { sandbox, folder } = await guarded();
    const target = join(sandbox.home, "dotfiles");
    renameSync(folder, target);
    symlinkSync(target, folder);
    expect((await sandbox.onTerminal(["remove", "guard", "--yes"])).code).toBe(0);
    expect(lstatSync(folder, { throwIfNoEntry: false })).toBeUndefined();
    expect(existsSync(join(target, "HOOK.md"))).toBe(true);
  });

  test("asks for --user or --project where both have the name, and revokes the trust of the project's", async () => {
    const { sandbox, folder } = await guarded();
    const theirs = sandbox.hook("guard", { script: "exit 2" });
    await sandbox.onTerminal(["trust"], ["y"]);
    const asked = await sandbox.onTerminal(["remove", "guard"], [], PLAIN);
    expect(asked).toMatchObject({ code: 1, stdout: expect.stringContaining("--user or --project") });
    expect((await sandbox.onTerminal(["remove", "guard", "--project", "--yes"])).code).toBe(0);
    expect([existsSync(theirs), existsSync(folder)]).toEqual([false, true]);
    expect(await sandbox.json(["trust", "--list"])).toEqual({ hooks: [] });
    expect((await call(sandbox)).code).toBe(0);
  });

  test.each([
    ["remove", "guard"],
    ["disable", "guard"],
    ["enable", "guard"],
    ["rename", "guard", "other"],
  ])("%s is refused inside an agent and without a terminal", async (...args) => {
    const { sandbox, folder } = await guarded();
    const inside = await sandbox.onTerminal(args, ["y"], { ...PLAIN, CLAUDECODE: "1" });
    expect(inside).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("REFUSED: this runs inside an agent"),
    });
    const piped = await sandbox.run(args, { input: "y\n" });
    expect(piped).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("only a person may decide which guards apply"),
    });
    expect(readFileSync(join(folder, "HOOK.md"), "utf8")).toContain("name: guard");
    expect(existsSync(join(sandbox.userHooks, "hooks.toml"))).toBe(false);
  });

  test("a state folder that cannot be written is reported before anything is removed", async () => {
    const { sandbox, folder } = await guarded();
    const env = { ...PLAIN, XDG_STATE_HOME: "/proc/missing" };
    const { code, stdout } = await sandbox.onTerminal(["remove", "guard", "--yes"], [], env);
    expect(stdout).toContain("the state folder");
    expect([code, existsSync(folder)]).toEqual([1, true]);
  });
});

describe("disable and enable", () => {
  test("disable needs no further confirmation, and enable undoes it", async () => {
    const { sandbox } = await guarded();
    const toml = join(sandbox.userHooks, "hooks.toml");
    const { code, stdout } = await sandbox.onTerminal(["disable", "guard"], [], PLAIN);
    expect([code, stdout]).toEqual([0, expect.stringContaining("guard is disabled in")]);
    expect(readFileSync(toml, "utf8")).toBe("[hooks.guard]\nenabled = false\n");
    expect(await call(sandbox)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await sandbox.onTerminal(["enable", "guard"])).code).toBe(0);
    expect(readFileSync(toml, "utf8")).toBe("[hooks.guard]\nenabled = true\n");
    expect((await sandbox.run(["list"])).stdout).toMatch(/1 +guard/);
  });

  test("disable confirms what hooks.toml disables already", async () => {
    const { sandbox } = await guarded();
    sandbox.write(join(sandbox.userHooks, "hooks.toml"), "[hooks.guard]\nenabled = false\n");
    expect((await call(sandbox)).stderr).toContain("tenterhook disable guard");
    expect((await sandbox.onTerminal(["disable", "guard"])).code).toBe(0);
    expect((await call(sandbox)).code).toBe(0);
  });

  test("everything else in hooks.toml stays as it is, and a link to it stays a link", async () => {
    const { sandbox } = await guarded();
    const file = sandbox.write(
      join(sandbox.home, "dotfiles.toml"),
      '# mine\n[hooks."other"]\npriority = 7 # x\n\n[hooks.guard] # here\npriority = 900\n\n[hooks.last]\nenabled = false\n',
      0o640,
    );
    symlinkSync(file, join(sandbox.userHooks, "hooks.toml"));
    expect((await sandbox.onTerminal(["disable", "guard"])).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(
      '# mine\n[hooks."other"]\npriority = 7 # x\n\n[hooks.guard] # here\nenabled = false\npriority = 900\n\n[hooks.last]\nenabled = false\n',
    );
    expect(lstatSync(join(sandbox.userHooks, "hooks.toml")).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  test.each([
    ["hooks = { guard = { priority = 9 } }\n", /not a table of their own[\s\S]*by hand/],
    ["[hooks.guard\n", /hooks\.toml:1: /],
  ])("a hooks.toml that cannot be edited is left alone: %j", async (text, message) => {
    const { sandbox } = await guarded();
    const file = sandbox.write(join(sandbox.userHooks, "hooks.toml"), text);
    const { code, stdout } = await sandbox.onTerminal(["disable", "guard"], [], PLAIN);
    expect([code, stdout]).toEqual([1, expect.stringMatching(message)]);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("an unknown name is refused with the nearest one", async () => {
    const { sandbox } = await guarded();
    const { code, stdout } = await sandbox.onTerminal(["disable", "gaurd"], [], PLAIN);
    expect([code, stdout]).toEqual([1, expect.stringContaining("Did you mean guard?")]);
  });
});

describe("rename", () => {
  test("renames folder, HOOK.md and settings, and needs no further confirmation", async () => {
    const { sandbox, folder } = await guarded();
    const toml = sandbox.write(join(sandbox.userHooks, "hooks.toml"), "[hooks.guard]\npriority = 900\n");
    const { code, stdout } = await sandbox.onTerminal(["rename", "guard", "sentry"], [], PLAIN);
    expect([code, stdout]).toEqual([0, expect.stringContaining("guard is sentry now")]);
    expect(existsSync(folder)).toBe(false);
    expect(readFileSync(join(sandbox.userHooks, "sentry", "HOOK.md"), "utf8")).toMatch(
      /^---\nname: sentry\n/,
    );
    expect(readFileSync(toml, "utf8")).toBe("[hooks.sentry]\npriority = 900\n");
    expect(await call(sandbox)).toEqual({ code: 0, stdout: "", stderr: "" });
    rmSync(join(sandbox.userHooks, "sentry"), { recursive: true });
    expect((await call(sandbox)).stderr).toContain("tenterhook remove sentry");
  });

  test("refuses a name that is taken or is not a name, and changes nothing", async () => {
    const { sandbox, folder } = await guarded();
    mkdirSync(join(sandbox.userHooks, "taken"));
    for (const name of ["taken", "../up", "Up", ""]) {
      const { code } = await sandbox.onTerminal(["rename", "guard", name]);
      expect([name, code]).toEqual([name, 1]);
    }
    expect(readFileSync(join(folder, "HOOK.md"), "utf8")).toContain("name: guard");
  });

  test("a project's hook must be trusted again", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { script: "exit 0" });
    await sandbox.onTerminal(["trust"], ["y"]);
    const { stdout } = await sandbox.onTerminal(["rename", "guard", "sentry"], [], PLAIN);
    expect(stdout).toContain("tenterhook trust sentry");
    expect((await sandbox.run(["list"])).stdout).toMatch(/sentry .* untrusted/);
    expect(await sandbox.json(["trust", "--list"])).toEqual({ hooks: [] });
  });
});

describe("a guard that is gone", () => {
  test("is shown by list, explain and doctor, and not described to a model", async () => {
    const { sandbox, folder } = await guarded();
    rmSync(folder, { recursive: true });
    const listed = await sandbox.run(["list"]);
    expect(listed.stdout).toMatch(/guard +before_tool +user +100 +gone/);
    expect(listed.stderr).toContain("tenterhook remove guard");
    expect(await sandbox.json(["list"])).toMatchObject({
      hooks: [{ name: "guard", gone: { command: "tenterhook remove guard" } }],
    });
    const explained = await sandbox.run(["explain", "before_tool", "--tool", "Shell"]);
    expect(explained.stdout).toMatch(/guard .*blocks .*gone: .*so the action is refused/);
    const { code, stdout } = await sandbox.run(["doctor"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("the guard guard (before_tool) is gone")]);
    expect((await sandbox.run(["prompt"])).stdout).not.toContain("guard");
  });

  test("is known from install on, and forgotten by uninstall", async () => {
    const sandbox = new CommandSandbox();
    const folder = sandbox.hook("guard", { scope: "user", fields: ["on_error: block"], script: "exit 0" });
    expect((await sandbox.run(["install", "claude"])).code).toBe(0);
    rmSync(folder, { recursive: true });
    expect((await sandbox.run(["list"])).stdout).toMatch(/guard .* gone/);
    expect((await call(sandbox)).stderr).toContain("tenterhook remove guard");
    expect((await sandbox.run(["uninstall"])).code).toBe(0);
    expect((await sandbox.run(["list"])).stdout).toContain("No hooks here.");
    // After the next installation, what was removed meanwhile is not missed.
    expect((await sandbox.run(["install", "claude"])).code).toBe(0);
    expect(await call(sandbox)).toMatchObject({ code: 0, stdout: "" });
  });

  test("is confirmed from a shell without the XDG variables of the installation", async () => {
    const sandbox = new CommandSandbox();
    const env = { XDG_CONFIG_HOME: join(sandbox.home, "c"), XDG_STATE_HOME: join(sandbox.home, "s") };
    const folder = join(env.XDG_CONFIG_HOME, "agents", "hooks", "guard");
    const fields = "name: guard\ndescription: d\ntrigger: before_tool\naction: block\nreason: no";
    sandbox.write(join(folder, "HOOK.md"), `---\n${fields}\n---\n`);
    expect((await sandbox.run(["install", "claude"], { env })).code).toBe(0);
    rmSync(folder, { recursive: true });
    expect((await sandbox.run(["list"], { env })).stdout).toMatch(/guard .* gone/);
    expect((await sandbox.onTerminal(["remove", "guard"])).code).toBe(0);
    expect((await sandbox.run(["list"], { env })).stdout).toContain("No hooks here.");
  });
});
