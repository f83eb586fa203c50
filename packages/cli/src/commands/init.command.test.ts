import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { EVENT_NAMES, eventRow } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const LEFT_OVER = "this is still a placeholder of tenterhook init";

async function findings(sandbox: CommandSandbox): Promise<readonly string[]> {
  const { findings: found } = (await sandbox.json(["check"])) as { findings: { message: string }[] };
  return found.map(({ message }) => message);
}

describe("init", () => {
  test("a guard and a stop gate have on_error: block, a hook that only observes does not", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["init", "gate", "--trigger", "before_stop"]);
    await sandbox.run(["init", "guard", "--trigger", "before_tool"]);
    const gate = sandbox.read(join(sandbox.projectHooks, "gate", "HOOK.md"));
    expect(gate).toContain("\ntimeout: 300000\non_error: block\n");
    const guard = sandbox.read(join(sandbox.projectHooks, "guard", "HOOK.md"));
    expect(guard).toContain("\ntimeout: 5000\non_error: block\n");
    await sandbox.run(["init", "observer", "--trigger", "after_agent"]);
    expect(sandbox.read(join(sandbox.projectHooks, "observer", "HOOK.md"))).not.toContain("on_error");
  });

  test("writes a hook with a script and tests, and prints the next steps", async () => {
    const sandbox = new CommandSandbox();
    const args = [
      "init",
      "no-rm",
      "--trigger",
      "before_tool",
      "--tool",
      "Shell",
      "--pattern",
      "rm -rf /|mkfs",
    ];
    const { code, stdout } = await sandbox.run(args);
    expect(code).toBe(0);
    const folder = join(sandbox.projectHooks, "no-rm");
    expect(sandbox.read(join(folder, "HOOK.md"))).toContain("  tool: 'Shell'\n  pattern: 'rm -rf /|mkfs'\n");
    expect(statSync(join(folder, "scripts", "run.sh")).mode & 0o111).not.toBe(0);
    expect(stdout).toMatch(/tenterhook check .*\n.*tenterhook test .*\n.*tenterhook trust no-rm/);
  });

  test.each(["sh", "py", "js"])(
    "in %s: the hook passes its tests, and check reports only placeholders",
    async (lang) => {
      const sandbox = new CommandSandbox();
      await sandbox.run(["init", "guard", "--trigger", "before_tool", "--lang", lang]);
      await sandbox.run([
        "init",
        "pattern",
        "--trigger",
        "before_tool",
        "--pattern",
        "\\.env$",
        "--lang",
        lang,
      ]);
      await sandbox.run(["init", "watcher", "--trigger", "session_end", "--lang", lang]);
      expect((await findings(sandbox)).filter((message) => !message.includes(LEFT_OVER))).toEqual([]);
      const { code, stdout } = await sandbox.run(["test", "--strict"]);
      expect(stdout).toMatch(/\n5 passed, 0 failed\n$/);
      expect(code).toBe(0);
    },
  );

  test("writes a hook that passes its tests for every event of an agent", async () => {
    const sandbox = new CommandSandbox();
    const events = EVENT_NAMES.filter((event) => eventRow(event).layer === "agent");
    const runs = await Promise.all(events.map((event) => sandbox.run(["init", "--trigger", event])));
    expect(runs.map(({ code }) => code)).toEqual(events.map(() => 0));
    expect((await findings(sandbox)).filter((message) => !message.includes(LEFT_OVER))).toEqual([]);
    expect((await sandbox.run(["test", "--strict"])).stdout).toMatch(/ passed, 0 failed\n$/);
  });

  test.each([".*", "^git (push|pull)$", "a|b", "l", "[0-9]{3}", "'quoted'"])(
    "finds examples for the pattern %s",
    async (pattern) => {
      const sandbox = new CommandSandbox();
      await sandbox.run([
        "init",
        "it",
        "--trigger",
        "before_tool",
        "--tool",
        "^(Shell|Bash)$",
        "--pattern",
        pattern,
      ]);
      expect(await findings(sandbox)).toEqual([expect.stringContaining(LEFT_OVER)]);
      expect((await sandbox.run(["test", "--strict"])).stdout).toMatch(/[12] passed, 0 failed\n$/);
    },
  );

  test("replaces an alias of one event by the event, and keeps an alias of two", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["init", "one", "--trigger", "PreToolUse"]);
    await sandbox.run(["init", "two", "--trigger", "PostToolUse"]);
    expect(sandbox.read(join(sandbox.projectHooks, "one", "HOOK.md"))).toContain("trigger: before_tool\n");
    expect(sandbox.read(join(sandbox.projectHooks, "two", "HOOK.md"))).toContain("trigger: PostToolUse\n");
  });

  test("writes to the project's root from a subfolder, and with --user to the user's hooks", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("other", { script: "exit 0" });
    const cwd = join(sandbox.project, "src");
    sandbox.write(join(cwd, "file"), "");
    await sandbox.run(["init", "here", "--trigger", "before_stop"], { cwd });
    const user = await sandbox.run(["init", "mine", "--trigger", "before_stop", "--user"], { cwd });
    expect(existsSync(join(sandbox.projectHooks, "here", "HOOK.md"))).toBe(true);
    expect(existsSync(join(sandbox.userHooks, "mine", "HOOK.md"))).toBe(true);
    expect(user.stdout).not.toContain("trust");
  });

  test("overwrites nothing", async () => {
    const sandbox = new CommandSandbox();
    const folder = sandbox.hook("guard", { script: "exit 2" });
    const before = sandbox.read(join(folder, "HOOK.md"));
    const { code, stderr } = await sandbox.run(["init", "guard", "--trigger", "before_tool"]);
    expect(code).toBe(1);
    expect(stderr).toContain("already exists");
    expect(sandbox.read(join(folder, "HOOK.md"))).toBe(before);
  });

  test.each([
    [["init"], "Add --trigger"],
    [["init", "--trigger", "before_tol"], "Did you mean before_tool?"],
    [["init", "--trigger", "on_run_start"], "is an event of the coordinator"],
    [["init", "Bad Name", "--trigger", "before_tool"], "lowercase letters"],
    [["init", "../up", "--trigger", "before_tool"], "is not a valid hook name"],
    [["init", "--trigger", "before_stop", "--tool", "Shell"], "before_stop has no tool"],
    [["init", "--trigger", "before_tool", "--pattern", "(?!x)"], "without look-around"],
    [["init", "--trigger", "before_tool", "--lang", "pyt"], "Did you mean py?"],
  ])("%j is refused, and nothing is written", async (args, message) => {
    const sandbox = new CommandSandbox();
    const { code, stderr } = await sandbox.run(args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(existsSync(sandbox.projectHooks)).toBe(false);
  });

  test("--json prints what was written", async () => {
    const sandbox = new CommandSandbox();
    const folder = join(sandbox.projectHooks, "gate");
    expect(await sandbox.json(["init", "gate", "--trigger", "before_stop"])).toMatchObject({
      name: "gate",
      folder,
      files: [
        join(folder, "HOOK.md"),
        join(folder, "scripts", "run.sh"),
        join(folder, "tests", "example.yaml"),
      ],
    });
  });
});
