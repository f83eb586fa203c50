import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

type Explained = {
  hooks: { hook: string; order: number | null; effect: string; why: string; mode: string }[];
};

async function explained(
  sandbox: CommandSandbox,
  args: readonly string[],
): Promise<[string, number | null, string][]> {
  const { hooks } = (await sandbox.json(["explain", ...args])) as Explained;
  return hooks.map(({ hook, order, effect }) => [hook, order, effect]);
}

const SHELL = ["before_tool", "--tool", "Shell", "--input", '{"command": "rm -rf /"}'];

describe("explain", () => {
  test("shows the order of calls, sync hooks before background hooks", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("watcher", { scope: "user", fields: ["async: true", "priority: 900"], script: "exit 0" });
    sandbox.hook("second", { scope: "user", script: "exit 0" });
    sandbox.hook("first", { scope: "user", fields: ["priority: 500"], script: "exit 0" });
    expect(await explained(sandbox, SHELL)).toEqual([
      ["first", 1, "runs"],
      ["second", 2, "runs"],
      ["watcher", 3, "runs"],
    ]);
  });

  test("names the variables that each script gets and those left out, without values", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("plain", { scope: "user", script: "exit 0" });
    const fields = ["metadata:", "  env: [GITHUB_TOKEN]"];
    sandbox.hook("named", { scope: "user", fields, script: "exit 0" });
    const env = { GITHUB_TOKEN: "hunter2", PYTHONUSERBASE: "hunter2", HARMLESS: "hunter2" };
    const { stdout } = await sandbox.run(["explain", ...SHELL, "--variables"], { env });
    expect(stdout).toMatch(/^Variables of plain .*\n {2}given: (?=.*HARMLESS)(?=.*HOME)(?!.*GITHUB_TOKEN)/m);
    expect(stdout).toMatch(/^Variables of named .*\n {2}given: (?=.*GITHUB_TOKEN)(?!.*PYTHONUSERBASE)/m);
    expect(stdout).toContain("left out: GITHUB_TOKEN, because it looks like a secret\n");
    expect(stdout).toContain("left out: PYTHONUSERBASE, because it steers Python\n");
    expect(stdout).not.toContain("hunter2");
    const { hooks } = (await sandbox.json(["explain", ...SHELL])) as {
      hooks: { variables: string[]; left_out: object[] }[];
    };
    for (const { variables } of hooks) expect(variables).toContain("TENTERHOOK_HOOK_DIR");
  });

  test("ends before the variables unless they are asked for", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("plain", { scope: "user", script: "exit 0" });
    const { stdout } = await sandbox.run(["explain", ...SHELL]);
    expect(stdout).toMatch(/^before_tool Shell: 1 hook would be called\n {2}1 {2}plain .*\n$/);
  });

  test("explains only the hook that --hook names", async () => {
    const sandbox = new CommandSandbox();
    const folder = sandbox.hook("one", { scope: "user", script: "exit 0" });
    sandbox.hook("two", { scope: "user", fields: ["matcher:", "  tool: Edit"], script: "exit 0" });
    const { stdout } = await sandbox.run(["explain", ...SHELL, "--hook", "two"]);
    expect(stdout).toMatch(
      /^before_tool Shell: 0 hooks would be called\n\nNot called\n {2}two .*unmatched: .*\n$/,
    );
    expect(await explained(sandbox, [...SHELL, "--hook", "one"])).toEqual([["one", 1, "runs"]]);
    for (const path of [folder, join(folder, "HOOK.md")])
      expect(await explained(sandbox, [...SHELL, "--hook", path])).toEqual([["one", 1, "runs"]]);
    const unknown = await sandbox.run(["explain", ...SHELL, "--hook", "tow"]);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("Did you mean two?") });
    const elsewhere = await sandbox.run(["explain", "before_stop", "--hook", "one"]);
    expect(elsewhere.stderr).toContain('there is no hook "one" for before_stop here.');
  });

  test("shows why others would not be called: matcher, trust, names, hooks.toml", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("other-tool", {
      scope: "user",
      fields: ["matcher:", "  tool: WriteFile"],
      script: "exit 0",
    });
    sandbox.hook("other-input", { scope: "user", fields: ["matcher:", "  pattern: mkfs"], script: "exit 0" });
    sandbox.hook("off", { scope: "user", script: "exit 0" });
    sandbox.hook("same", { scope: "user", script: "exit 0" });
    sandbox.hook("same", { script: "exit 0" });
    sandbox.hook("theirs", { script: "exit 0" });
    sandbox.write(join(sandbox.userHooks, "hooks.toml"), "[hooks.off]\nenabled = false\n");
    const { code, stdout } = await sandbox.run(["explain", ...SHELL]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^before_tool Shell: 1 hook would be called\n {2}1 {2}same {2}user/);
    expect(stdout).toMatch(/other-tool .* unmatched: .*WriteFile.* does not match/);
    expect(stdout).toMatch(/other-input .* unmatched: .*mkfs.* does not match/);
    expect(stdout).toMatch(/off .* disabled/);
    expect(stdout).toMatch(/same +project +shadowed/);
    expect(stdout).toMatch(/theirs .* untrusted: .*tenterhook trust/);
  });

  test("a changed guard blocks before later hooks are reached; a changed observer is skipped", async () => {
    const sandbox = new CommandSandbox();
    const guard = sandbox.hook("guard", { fields: ["priority: 500"], script: "exit 0" });
    const observer = sandbox.hook("observer", { fields: ["async: true"], script: "exit 0" });
    sandbox.hook("later", { scope: "user", script: "exit 0" });
    await sandbox.onTerminal(["trust", "--all"], ["y"]);
    for (const folder of [guard, observer])
      sandbox.write(join(folder, "scripts", "run.sh"), "#!/bin/bash\n", 0o755);
    const { hooks } = (await sandbox.json(["explain", ...SHELL])) as Explained;
    expect(hooks).toMatchObject([
      { hook: "guard", order: 1, effect: "blocks", why: expect.stringContaining("changed") },
      { hook: "later", order: null, effect: "left_out", why: "not reached: guard refuses first" },
      { hook: "observer", order: null, effect: "left_out", why: expect.stringContaining("so it is skipped") },
    ]);
  });

  test("a hook with action: block is certain to refuse", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("rule", {
      scope: "user",
      fields: ["action: block", "reason: no", "matcher:", "  pattern: rm"],
    });
    expect(await explained(sandbox, SHELL)).toEqual([["rule", 1, "blocks"]]);
  });

  test("a hook with action: ask asks, and hooks behind it are reached", async () => {
    const sandbox = new CommandSandbox();
    const ask = ["action: ask", "reason: sure?", "matcher:", "  - pattern: rm", "  - tool: Grep"];
    sandbox.hook("rule", { scope: "user", fields: [...ask, "priority: 200"] });
    sandbox.hook("off", { scope: "user", fields: [...ask, "priority: 150", "enforce: false"] });
    sandbox.hook("later", { scope: "user" });
    expect(await explained(sandbox, SHELL)).toEqual([
      ["rule", 1, "asks"],
      ["off", 2, "runs"],
      ["later", 3, "runs"],
    ]);
  });

  test("says which effect a rule has found, and of which tools no effects are known", async () => {
    const sandbox = new CommandSandbox();
    const fields = ["action: block", "reason: no", "matcher: { effect: delete, path: root }"];
    sandbox.hook("rule", { scope: "user", fields });
    const why = async (...args: readonly string[]) => {
      const { hooks } = (await sandbox.json(["explain", "before_tool", ...args])) as {
        readonly hooks: readonly { readonly effect: string; readonly why: string }[];
      };
      return hooks.map((hook) => `${hook.effect}: ${hook.why}`).join();
    };
    expect(await why("--command", "rm -rf /")).toMatch(/^blocks: .*deletes \/ recursively \(rm -rf \/\)/);
    expect(await why("--command", "ls")).toMatch(/^left_out: unmatched: .*does not match$/);
    expect(await why("--tool", "save")).toMatch(/^left_out: .*what the tool save does is not known/);
  });

  test("names hooks with rejudge: false that stand before one that may change the value", async () => {
    const sandbox = new CommandSandbox();
    const user = { scope: "user", script: "exit 0" } as const;
    const once = (priority: number) => [`priority: ${priority}`, "rejudge: false"];
    sandbox.hook("guard", { ...user, fields: ["priority: 900"] });
    sandbox.hook("counter", { ...user, fields: once(800) });
    sandbox.hook("no-mkfs", { ...user, fields: [...once(700), "matcher:", "  pattern: mkfs"] });
    sandbox.hook("rewriter", { ...user, fields: once(600) });
    sandbox.hook("watcher", { ...user, fields: ["async: true", "priority: 10"] });
    sandbox.hook("untrusted", { fields: ["priority: 20"], script: "exit 0" });
    const { stdout } = await sandbox.run(["explain", ...SHELL]);
    expect(stdout).toMatch(
      /^Called once .*\n {2}counter +does not see what these change after it: no-mkfs, rewriter\n {2}no-mkfs +does not see what these change after it: rewriter\n$/m,
    );
    const { hooks } = (await sandbox.json(["explain", ...SHELL])) as {
      hooks: { hook: string; called_once_before?: string[] }[];
    };
    const named = hooks.filter((hook) => hook.called_once_before !== undefined);
    expect(named.map((hook) => [hook.hook, hook.called_once_before])).toEqual([
      ["counter", ["no-mkfs", "rewriter"]],
      ["no-mkfs", ["rewriter"]],
    ]);
  });

  test("runs nothing", async () => {
    const sandbox = new CommandSandbox();
    const trace = join(sandbox.root, "it-ran");
    sandbox.hook("loud", { scope: "user", script: `touch '${trace}'; exit 2` });
    expect(await explained(sandbox, SHELL)).toEqual([["loud", 1, "runs"]]);
    expect(existsSync(trace)).toBe(false);
  });

  test("accepts aliases, fields of events without a tool, and another folder", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("gate", { scope: "user", trigger: "before_stop", script: "exit 0" });
    sandbox.hook("reader", { scope: "user", trigger: "before_agent", script: "exit 0" });
    expect(await explained(sandbox, ["Stop"])).toEqual([["gate", 1, "runs"]]);
    expect(await explained(sandbox, ["before_agent", "--input", '{"message": "hi"}'])).toEqual([
      ["reader", 1, "runs"],
    ]);
    sandbox.hook("here", { trigger: "before_stop", script: "exit 0" });
    const { stdout } = await sandbox.run(["explain", "before_stop", "--dir", "project"], {
      cwd: sandbox.root,
    });
    expect(stdout).toContain("here");
  });

  test("shows hooks that cannot be used, with file and line", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("broken", { fields: ["priority: high"], script: "exit 0" });
    expect((await sandbox.run(["explain", ...SHELL])).stdout).toMatch(
      /Cannot be used\n.*HOOK\.md:5: error: priority/,
    );
  });

  test.each([
    [["before_tol"], "Did you mean before_tool?"],
    [["before_tool"], "before_tool needs a tool."],
    [["before_stop", "--tool", "Shell"], "before_stop has no tool."],
    [["on_run_start"], "is an event of the coordinator"],
    [["before_stop", "--dir", "missing"], "missing is not a folder."],
    [["before_tool", "--tool", "Shell", "--input", '{"command": rm}'], "--input: invalid JSON"],
    [["before_tool", "--tool", "Edit", "--input", "rm -rf"], "Edit is not a shell"],
    [["before_tool", "--tool", "Edit", "--command", "ls"], "Edit is not a shell"],
    [["before_tool", "--command", "ls", "--input", "ls"], "--input and --command exclude each other."],
    [["before_stop", "--command", "ls"], "Omit --command."],
    [["before_tool", "--tool", "Shell", "--input", "[1]"], "--input: not a JSON object"],
    [["before_agent", "--input", '{"message": 5}'], "not a valid before_agent event: message:"],
  ])("%j is a usage error with advice", async (args, message) => {
    const { code, stderr } = await new CommandSandbox().run(["explain", ...args]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});
