import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { EVENT_NAMES, eventRow } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const PATTERN = [
  ...["init", "no-force-push", "--trigger", "before_tool", "--tool", "Shell"],
  ...["--pattern", "git push --force"],
];
const CALL = '{"command": "git push --force"}';
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
      "--lang",
      "sh",
    ];
    const { code, stdout } = await sandbox.run(args);
    expect(code).toBe(0);
    const folder = join(sandbox.projectHooks, "no-rm");
    expect(sandbox.read(join(folder, "HOOK.md"))).toContain("  tool: 'Shell'\n  pattern: 'rm -rf /|mkfs'\n");
    expect(statSync(join(folder, "scripts", "run.sh")).mode & 0o111).not.toBe(0);
    expect(stdout).toMatch(/tenterhook check no-rm\n.*tenterhook test no-rm\n.*tenterhook trust no-rm/);
  });

  test("a pattern refuses with its reason and without a script, and it is said how to get one", async () => {
    const sandbox = new CommandSandbox();
    const reason = "Don't: ask a person  to\npush";
    const { stdout } = await sandbox.run([...PATTERN, "--reason", reason]);
    const folder = join(sandbox.projectHooks, "no-force-push");
    expect(readdirSync(folder)).toEqual(["HOOK.md", "tests"]);
    expect(sandbox.read(join(folder, "HOOK.md"))).toContain(
      "\non_error: block\naction: block\nreason: 'Don''t: ask a person to push'\n---\n",
    );
    expect(stdout).toContain("To decide in a script, use init with --lang sh, py or js.");
    expect((await sandbox.run(["check"])).stdout).toBe("1 hook checked, no findings\n");
    expect((await sandbox.run(["test", "--strict"])).stdout).toMatch(/\n2 passed, 0 failed\n$/);
    const tried = await sandbox.run(["try", "before_tool", "--tool", "Shell", "--input", CALL]);
    expect(tried).toMatchObject({ code: 2, stdout: expect.stringContaining("Don't: ask a person to push") });
  });

  test("a pattern without a reason has one, and with --lang it has a script", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(PATTERN);
    const file = join(sandbox.projectHooks, "no-force-push", "HOOK.md");
    expect(sandbox.read(file)).toContain("\naction: block\nreason: 'this is not allowed here'\n");
    await sandbox.run(["init", "scripted", ...PATTERN.slice(2), "--lang", "py"]);
    const scripted = join(sandbox.projectHooks, "scripted");
    expect(sandbox.read(join(scripted, "HOOK.md"))).not.toContain("action:");
    expect(existsSync(join(scripted, "scripts", "run.py"))).toBe(true);
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
      expect(await findings(sandbox)).toEqual([]);
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
    [["init", "--trigger", "before_tool", "--reason", "no"], "Add --pattern"],
    [["init", "--trigger", "before_tool", "--pattern", "x", "--reason", "no", "--lang", "sh"], "omit --lang"],
    [["init", "--trigger", "before_tool", "--pattern", "x", "--reason", " "], "--reason is empty"],
    [["init", "--trigger", "session_end", "--reason", "no"], "--reason is for a hook that refuses"],
  ])("%j is refused, and nothing is written", async (args, message) => {
    const sandbox = new CommandSandbox();
    const { code, stderr } = await sandbox.run(args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(existsSync(sandbox.projectHooks)).toBe(false);
  });

  test("on a terminal without options it asks, again after an answer that cannot be used", async () => {
    const sandbox = new CommandSandbox();
    const { code, stdout } = await sandbox.conversation(
      ["init"],
      [
        ["Name of the hook [no-force-push]: ", "No Push\r"],
        ["is not a valid hook name", ""],
        ["Name of the hook [no-force-push]: ", "\r"],
        ["Event at which it is called [before_tool]: ", "before_tol\r"],
        ["Did you mean before_tool?", ""],
        ["Event at which it is called [before_tool]: ", "\r"],
        ["Tools, by name or regular expression [Shell]: ", "Bash\r"],
        ["(empty: a script decides): ", "(?!x)\r"],
        ["without look-around", ""],
        ["(empty: a script decides): ", "git push --force\r"],
        ["What the model reads then [this is not allowed here]: ", "Ask a person to push\r"],
        ["For all your projects, not just this one? [y/N] ", "y\r"],
      ],
    );
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("tenterhook test no-force-push\n"),
    });
    expect(sandbox.read(join(sandbox.userHooks, "no-force-push", "HOOK.md"))).toContain(
      "trigger: before_tool\nmatcher:\n  tool: 'Shell'\n  pattern: 'git push --force'\n" +
        "on_error: block\naction: block\nreason: 'Ask a person to push'\n",
    );
  });

  test("on a terminal it asks nothing that the event has no use for, and the name is not asked for twice", async () => {
    const sandbox = new CommandSandbox();
    const { code } = await sandbox.conversation(
      ["init", "gate"],
      [
        ["Event at which it is called [before_tool]: ", "before_stop\r"],
        ["For all your projects, not just this one? [y/N] ", "\r"],
      ],
    );
    expect(code).toBe(0);
    expect(existsSync(join(sandbox.projectHooks, "gate", "scripts", "run.sh"))).toBe(true);
  });

  test("when the input of the questions ends, nothing is written", async () => {
    const sandbox = new CommandSandbox();
    const ended = await sandbox.conversation(["init"], [["Name of the hook", "\u0004"]]);
    expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining("Nothing was written.") });
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
