import { chmodSync, copyFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

describe("check", () => {
  test("reports nothing for valid hooks and ends with 0", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { script: "exit 0" });
    sandbox.hook("rule", { fields: ["action: block", "reason: no"] });
    expect(await sandbox.run(["check"])).toEqual({
      code: 0,
      stdout: "2 hooks checked, no findings\n",
      stderr: "",
    });
  });

  test("reports file and line of frontmatter problems", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("broken", {
      trigger: "before_tol",
      fields: ["timeout: 5", "colour: red"],
      script: "exit 0",
    });
    const { code, stdout } = await sandbox.run(["check"]);
    expect(code).toBe(1);
    const file = join(".agents", "hooks", "broken", "HOOK.md");
    expect(stdout).toContain(`${file}:5: error: timeout must be at least 100`);
    expect(stdout).toContain(`${file}:6: warning: there is no field "colour"`);
    expect(stdout).toMatch(/in 1 hook\n$/);
  });

  test.each<
    [string, Parameters<CommandSandbox["hook"]>[1], (folder: string, sandbox: CommandSandbox) => void, string]
  >([
    ["a missing script", {}, () => undefined, "HOOK.md: warning: every call fails: it has no script"],
    [
      "a script that is not executable",
      { script: "exit 0" },
      (folder) => chmodSync(join(folder, "scripts", "run.sh"), 0o644),
      "run.sh: warning: not executable",
    ],
    [
      "a script that nothing can start",
      {},
      (folder, sandbox) => sandbox.write(join(folder, "scripts", "run"), "exit 0\n"),
      "every call fails",
    ],
    [
      "a missing interpreter",
      {},
      (folder, sandbox) =>
        sandbox.write(join(folder, "scripts", "run"), "#!/usr/bin/env missing-program\n", 0o755),
      "run:1: error: its interpreter missing-program was not found",
    ],
    [
      "Windows line ends",
      {},
      (folder, sandbox) =>
        sandbox.write(join(folder, "scripts", "run.sh"), "#!/bin/bash\r\nexit 0\r\n", 0o755),
      "Windows line ends (CRLF)",
    ],
    [
      "a pattern that needs look-around",
      { fields: ["matcher:", "  pattern: 'a(?!b)'"], script: "exit 0" },
      () => undefined,
      "HOOK.md:6: warning: matcher.pattern: it needs look-around",
    ],
    [
      "an answer in another client's form",
      { script: `echo '{"hookSpecificOutput": {"permissionDecision": "deny"}}'` },
      () => undefined,
      "run.sh:2: warning: it answers in the format of another client, which is tolerated",
    ],
    [
      "an answer on stderr",
      { script: `echo '{"decision": "deny"}' >&2` },
      () => undefined,
      "run.sh:2: warning: it prints an answer to stderr, which is not read",
    ],
    [
      "an answer that is a Python dictionary",
      {},
      (folder, sandbox) =>
        sandbox.write(
          join(folder, "scripts", "run.py"),
          "#!/usr/bin/env python3\nprint({'decision': 'deny'})\n",
          0o755,
        ),
      "run.py:2: warning: it prints a Python dictionary",
    ],
    [
      "a #! line that the system would cut",
      {},
      (folder, sandbox) =>
        sandbox.write(join(folder, "scripts", "run.sh"), `#!${"/".repeat(260)}/bin/sh\n`, 0o755),
      "every call fails: the #! line",
    ],
    [
      "a HOOK.md in another case",
      {},
      (folder) => renameSync(join(folder, "HOOK.md"), join(folder, "Hook.md")),
      "Hook.md: error: not read, so this hook does nothing: rename it to HOOK.md",
    ],
    [
      "a hook.md beside the HOOK.md",
      { script: "exit 0" },
      (folder) => copyFileSync(join(folder, "HOOK.md"), join(folder, "hook.md")),
      "guard/hook.md: warning: not read, because HOOK.md beside it counts; remove one of them",
    ],
    [
      "a folder without a HOOK.md",
      {},
      (folder) => renameSync(join(folder, "HOOK.md"), join(folder, "README.md")),
      "guard: warning: no HOOK.md, so it is not a hook",
    ],
    [
      "a script that never runs",
      { fields: ["action: block", "reason: no"], script: "exit 0" },
      () => undefined,
      "run.sh: warning: it never runs",
    ],
  ])("finds %s", async (_, parts, damage, message) => {
    const sandbox = new CommandSandbox();
    damage(sandbox.hook("guard", parts), sandbox);
    const { code, stdout } = await sandbox.run(["check"]);
    expect(stdout).toContain(message);
    expect(code).toBe(1);
  });

  // "Full HOOK.md content | < 1000 tokens"
  test("warns about a HOOK.md with more than 1,000 tokens, a token being four characters", async () => {
    const sandbox = new CommandSandbox();
    const file = join(sandbox.hook("guard", { script: "exit 0" }), "HOOK.md");
    const text = sandbox.read(file);
    // A character is not a byte, and not half of a surrogate pair.
    const padded = (characters: number) =>
      `${text}${Array.from({ length: characters - text.length }, (_, at) => (at % 2 === 0 ? "😀" : "é")).join("")}`;
    sandbox.write(file, padded(4_000));
    expect(await sandbox.run(["check"])).toMatchObject({ code: 0 });
    sandbox.write(file, padded(4_001));
    const { code, stdout } = await sandbox.run(["check"]);
    expect(stdout).toContain(
      "HOOK.md: warning: it has about 1,001 tokens (characters / 4), and should have at most 1,000",
    );
    expect(code).toBe(1);
  });

  test.each(["-guard", "guard-", "my--guard"])("warns about the hyphens of %s", async (name) => {
    const sandbox = new CommandSandbox();
    sandbox.hook(name, { script: "exit 0" });
    const { code, stdout } = await sandbox.run(["check"]);
    expect(stdout).toMatch(
      /HOOK\.md: warning: the name should not (?:begin or end with a hyphen|have two hyphens)/,
    );
    expect(code).toBe(1);
  });

  test.each([
    ["before_tool", 11],
    ["session_end", 10],
  ])("warns about placeholders of init at %s", async (trigger, line) => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["init", "new", "--trigger", trigger]);
    const { stdout } = await sandbox.run(["check"]);
    expect(stdout).toContain(`HOOK.md:${line}: warning: this is still a placeholder of tenterhook init`);
    expect(stdout).toMatch(/run\.sh:\d+: warning: this is still a placeholder of tenterhook init/);
  });

  test("a folder given by its path is reported when its HOOK.md has another case", async () => {
    const sandbox = new CommandSandbox();
    const folder = sandbox.hook("guard", { script: "exit 0" });
    renameSync(join(folder, "HOOK.md"), join(folder, "Hook.md"));
    const { code, stdout } = await sandbox.run(["check", folder]);
    expect(stdout).toContain("Hook.md: error: not read");
    expect(code).toBe(1);
  });

  test("finds shadowed names, both hooks of a duplicate name and a broken hooks.toml, once each", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { scope: "user", script: "exit 0" });
    sandbox.hook("guard", { script: "exit 0" });
    sandbox.hook("twin", { script: "exit 0" });
    const twin = sandbox.read(join(sandbox.projectHooks, "twin", "HOOK.md"));
    sandbox.hook("twin-two", { script: "exit 0" });
    sandbox.write(join(sandbox.projectHooks, "twin-two", "HOOK.md"), twin);
    sandbox.write(join(sandbox.projectHooks, "hooks.toml"), "[hooks.twin]\npriority = 5000\n");
    const { stdout } = await sandbox.run(["check"]);
    expect(stdout.match(/guard is shadowed by the user's hook/g)).toHaveLength(1);
    for (const folder of ["twin", "twin-two"])
      expect(
        stdout.match(new RegExp(`/${folder}/HOOK.md.* there is another hook named twin`, "g")),
      ).toHaveLength(1);
    expect(stdout.match(/hooks\.twin\.priority must be/g)).toHaveLength(1);
    expect(stdout).toContain("warning: the name is twin, but the folder is twin-two");
    expect(stdout).toMatch(/3 errors, 2 warnings in 4 hooks\n$/);
  });

  test("checks only the given hook folders, HOOK.md files or folders of hooks", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("broken", { trigger: "unknown" });
    const well = sandbox.hook("well", { script: "exit 0" });
    const elsewhere = join(sandbox.root, "elsewhere");
    sandbox.write(join(elsewhere, "far", "HOOK.md"), "no frontmatter");
    expect((await sandbox.run(["check", well])).code).toBe(0);
    expect((await sandbox.run(["check", join(well, "HOOK.md")])).code).toBe(0);
    expect((await sandbox.run(["check", join(".agents", "hooks")])).stdout).toMatch(
      /1 error, 1 warning|1 error, 0 warnings/,
    );
    expect((await sandbox.run(["check", elsewhere])).stdout).toContain(
      `${join(elsewhere, "far", "HOOK.md")}:1: error:`,
    );
  });

  test("finds two hooks of one name in another folder", async () => {
    const sandbox = new CommandSandbox();
    const root = join(sandbox.root, "elsewhere");
    for (const folder of ["a", "b"]) {
      sandbox.write(
        join(root, folder, "HOOK.md"),
        "---\nname: twin\ndescription: d\ntrigger: before_stop\n---\n",
      );
      sandbox.write(join(root, folder, "scripts", "run.sh"), "#!/bin/bash\n", 0o755);
    }
    const { stdout } = await sandbox.run(["check", root]);
    for (const folder of ["a", "b"])
      expect(stdout).toContain(
        `${join(root, folder, "HOOK.md")}: error: there is another hook named twin in the same folder, so this one is not used; rename one of them\n`,
      );
    expect(stdout).toMatch(/2 errors, 2 warnings in 2 hooks\n$/);
  });

  test("takes the names of hooks here, also of one whose HOOK.md cannot be used", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { script: "exit 0" });
    sandbox.hook("broken", { scope: "user", fields: ["priority: high"], script: "exit 0" });
    sandbox.hook("other", { fields: ["colour: red"], script: "exit 0" });
    // Another folder of that name is not looked at.
    sandbox.write(join(sandbox.project, "guard", "notes", "plan.md"), "");
    expect(await sandbox.run(["check", "guard"])).toMatchObject({
      code: 0,
      stdout: "1 hook checked, no findings\n",
    });
    const { code, stdout } = await sandbox.run(["check", "guard", "broken"]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(
        /broken\/HOOK\.md:5: error: priority.*\n1 error, 0 warnings in 2 hooks\n$/,
      ),
    });
    expect((await sandbox.run(["check", "gaurd"])).stderr).toContain("Did you mean guard?");
  });

  test("a name that your own hook and the project's have means both", async () => {
    const sandbox = new CommandSandbox();
    for (const scope of ["user", "project"] as const) sandbox.hook("twin", { scope, script: "exit 0" });
    expect(await sandbox.json(["check", "twin"])).toMatchObject({ hooks: 2 });
  });

  test("a path without a hook is a usage error", async () => {
    const { code, stderr } = await new CommandSandbox().run(["check", "missing"]);
    expect(code).toBe(1);
    expect(stderr).toContain("no hook at missing.");
  });

  test("needs no trust, and --json gives the findings as data", async () => {
    const sandbox = new CommandSandbox();
    const folder = sandbox.hook("guard");
    expect(await sandbox.json(["check"])).toEqual({
      hooks: 1,
      not_enforced: [],
      native_names: [],
      findings: [
        {
          severity: "warning",
          file: join(folder, "HOOK.md"),
          message: expect.stringContaining("it has no script"),
        },
      ],
    });
  });

  test("says which canonical tool a coding agent's name means, without a finding", async () => {
    const sandbox = new CommandSandbox();
    const block = ["action: block", "reason: no"];
    const hook = (name: string, tool: string) =>
      sandbox.hook(name, { fields: [`matcher: { tool: '${tool}' }`, ...block] });
    hook("any", ".*");
    hook("bash", "^Bash$");
    hook("files", "Write|editor|deploy");
    hook("folded", "(?i)^TASK$");
    hook("plain", "^(Shell|EditFile)$");
    sandbox.hook("stop", { trigger: "before_stop", fields: block });
    const { code, stdout } = await sandbox.run(["check"]);
    expect(stdout.split("\n").filter((line) => line.includes(" mean"))).toEqual([
      "bash: in matcher.tool, Bash means Shell",
      "files: in matcher.tool, Write means WriteFile, editor means WriteFile and EditFile",
      "folded: in matcher.tool, Task means Subagent, task means Subagent",
    ]);
    expect(stdout).toContain("6 hooks checked, no findings");
    expect(code).toBe(0);
    expect(await sandbox.json(["check"])).toMatchObject({
      native_names: [
        { hook: "bash", name: "Bash", tools: ["Shell"] },
        { hook: "files", name: "Write", tools: ["WriteFile"] },
        { hook: "files", name: "editor", tools: ["WriteFile", "EditFile"] },
        { hook: "folded", name: "Task", tools: ["Subagent"] },
        { hook: "folded", name: "task", tools: ["Subagent"] },
      ],
      findings: [],
    });
  });

  test("--client lists the hooks that are enforced there partly or not at all", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("reader", { fields: ["matcher: { tool: ReadFile }"], script: "exit 2" });
    sandbox.hook("changer", { script: `echo '{"modified_input": {}}'` });
    sandbox.hook("gate", { trigger: "before_stop", script: "exit 0" });
    sandbox.hook("native", { fields: ["matcher: { tool: '^Bash$' }"], script: "exit 0" });
    sandbox.hook("part", { fields: ["matcher: { tool: '^exec_' }"], script: "exit 0" });
    sandbox.hook("plain", { fields: ["matcher: { tool: Shell }"], script: "exit 0" });
    sandbox.hook("anycase", { fields: ["matcher: { tool: '(?i)^readfile$' }"], script: "exit 2" });
    const found = async (client: string) =>
      (await sandbox.run(["check", "--client", client])).stdout
        .match(/[a-z]+\/HOOK\.md: .*enforced .*/g)
        ?.map((line) => line.replace(/: \w+: /, ": "));
    expect(await found("codex")).toEqual([
      expect.stringMatching(/^anycase.*is not enforced in Codex CLI: Codex CLI has no tool ReadFile/),
      expect.stringMatching(/^changer.*is enforced partly in Codex CLI: .*what is typed into a program/),
      expect.stringMatching(/^changer.*is enforced partly in Codex CLI: .*can_approve: true/),
      expect.stringMatching(/^native.*is enforced partly in Codex CLI: .*what is typed into a program/),
      expect.stringMatching(/^part.*is not enforced in Codex CLI: matchers see Shell, not exec_command/),
      expect.stringMatching(/^plain.*is enforced partly in Codex CLI: .*what is typed into a program/),
      expect.stringMatching(/^reader.*is not enforced in Codex CLI: Codex CLI has no tool ReadFile/),
    ]);
    expect(await found("opencode")).toEqual([
      expect.stringMatching(/^gate.*is not enforced in OpenCode: OpenCode cannot be kept from stopping/),
    ]);
    expect((await sandbox.run(["check", "--client", "codx"])).stderr).toContain("Did you mean codex?");
  });
});
