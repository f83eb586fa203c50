import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BIN, CommandSandbox } from "../testing/command-sandbox.ts";

/** The cells of the printed table. */
function rows(stdout: string): string[][] {
  return stdout
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(/ {2,}/));
}

describe("list", () => {
  test("shows hooks in the order they run: priority, user before project, name", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("zebra", { fields: ["priority: 500"], script: "exit 0" });
    sandbox.hook("b-project", { script: "exit 0" });
    sandbox.hook("a-project", { script: "exit 0" });
    sandbox.hook("user-hook", { scope: "user", script: "exit 0" });
    const { code, stdout } = await sandbox.run(["list"]);
    expect(code).toBe(0);
    expect(rows(stdout).map(([order, name, , scope, priority]) => [order, name, scope, priority])).toEqual([
      ["1", "zebra", "project", "500"],
      ["2", "user-hook", "user", "100"],
      ["3", "a-project", "project", "100"],
      ["4", "b-project", "project", "100"],
    ]);
  });

  test("shows event names, matchers and trust", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("mine", { scope: "user", trigger: "pre-tool-call", script: "exit 0" });
    sandbox.hook("theirs", { fields: ["matcher:", "  tool: Shell", "  pattern: rm"], script: "exit 0" });
    const { stdout } = await sandbox.run(["list"]);
    expect(rows(stdout)).toEqual([
      ["1", "mine", "before_tool", "user", "100", "user"],
      ["2", "theirs", "before_tool", "project", "100", "tool: Shell, pattern: rm", "untrusted"],
    ]);
  });

  test("a trusted hook is shown as changed after a change in its folder", async () => {
    const sandbox = new CommandSandbox();
    const folder = sandbox.hook("guard", { script: "exit 0" });
    await sandbox.onTerminal(["trust"], ["y"]);
    expect((await sandbox.run(["list"])).stdout).toMatch(/guard .* trusted$/m);
    sandbox.write(join(folder, "scripts", "run.sh"), "#!/bin/bash\nexit 0 # disarmed\n", 0o755);
    expect((await sandbox.run(["list"])).stdout).toMatch(/guard .* changed$/m);
  });

  test("leaves out inactive hooks with a notice, and --all shows why", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { scope: "user", script: "exit 0" });
    sandbox.hook("guard", { script: "exit 0" });
    sandbox.hook("off", { scope: "user", script: "exit 0" });
    sandbox.write(join(sandbox.userHooks, "hooks.toml"), "[hooks.off]\nenabled = false\n");
    const short = await sandbox.run(["list"]);
    expect(rows(short.stdout).map(([, name]) => name)).toEqual(["guard"]);
    expect(short.stderr).toContain("2 hooks left out");
    const { stdout } = await sandbox.run(["list", "--all"]);
    expect(stdout).toMatch(/^- .*guard .*project.* shadowed$/m);
    expect(stdout).toMatch(/^- .*off .* disabled$/m);
  });

  test("--json prints all hooks, also inactive ones", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { scope: "user", script: "exit 0" });
    const folder = sandbox.hook("guard", { fields: ["on_error: block", "timeout: 700"], script: "exit 0" });
    expect(await sandbox.json(["list"])).toMatchObject({
      hooks: [
        { order: 1, name: "guard", scope: "user", trust: "user", inactive: null },
        {
          order: null,
          name: "guard",
          description: "about guard",
          events: ["before_tool"],
          scope: "project",
          priority: 100,
          matcher: null,
          mode: "sync",
          timeout_ms: 700,
          on_error: "block",
          trust: "untrusted",
          inactive: "shadowed",
          folder,
          file: join(folder, "HOOK.md"),
        },
      ],
      findings: [{ severity: "warning", field: "name" }],
    });
  });

  test("without hooks shows how to write one", async () => {
    const { code, stdout } = await new CommandSandbox().run(["list"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("tenterhook init") });
  });

  test("reports the problem of a hook that cannot be listed", async () => {
    const sandbox = new CommandSandbox();
    const folder = sandbox.hook("broken", { trigger: "before_tol" });
    const { stderr } = await sandbox.run(["list"]);
    expect(stderr).toContain(`${join(folder, "HOOK.md")}:4: error: there is no event "before_tol"`);
  });

  test("reports folders that are not hooks: HOOK.md in another case, or missing", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { script: "exit 0" });
    const misspelled = sandbox.write(
      join(sandbox.projectHooks, "quiet", "Hook.md"),
      "---\nname: quiet\n---\n",
    );
    const empty = join(sandbox.userHooks, "empty");
    sandbox.write(join(empty, "notes.txt"), "");
    sandbox.write(join(sandbox.userHooks, "_shared", "notes.txt"), "");
    const { code, stdout, stderr } = await sandbox.run(["list"]);
    expect(code).toBe(0);
    expect(rows(stdout).map(([, name]) => name)).toEqual(["guard"]);
    expect(stderr).toContain(
      `${misspelled}: error: not read, so this hook does nothing: rename it to HOOK.md`,
    );
    expect(stderr).toContain(`${empty}: warning: no HOOK.md, so it is not a hook`);
    expect(stderr).not.toContain("_shared");
    expect(await sandbox.json(["list"])).toMatchObject({
      findings: [
        { severity: "warning", file: empty },
        { severity: "error", file: misspelled },
      ],
    });
  });

  test("escapes control characters in names", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(
      join(sandbox.userHooks, "x", "HOOK.md"),
      '---\nname: "evil\\e[2J\\u202e"\ndescription: d\ntrigger: before_stop\n---\n',
    );
    const { stdout, stderr } = await sandbox.run(["list"]);
    expect(stdout).toContain("evil\\u{1b}[2J\\u{202e}");
    expect(["\u001b", "\u202e"].filter((character) => (stdout + stderr).includes(character))).toEqual([]);
  });

  test("ends without an error when its output is closed", async () => {
    const sandbox = new CommandSandbox();
    for (let number = 0; number < 30; number++) sandbox.hook(`hook-${number}`, { script: "exit 0" });
    const { stderr } = spawnSync("bash", ["-c", `"${process.execPath}" "${BIN}" list | true`], {
      cwd: sandbox.project,
      env: sandbox.env(),
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});
