import { rmSync } from "node:fs";
import { join } from "node:path";
import { createHooks } from "@tenterhook/engine";
import { FileHooks } from "@tenterhook/file-hooks";
import { describe, expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const GUARD = {
  fields: ["matcher:", "  tool: ^Shell$", "  pattern: 'rm -rf'", "action: block", "reason: no"],
};
const RM = '{"command": "rm -rf /"}';

/** A sandbox with a guard of the user on Shell. */
function guarded(): CommandSandbox {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { scope: "user", ...GUARD });
  return sandbox;
}

describe("a coding agent's name of a tool", () => {
  test.each([
    ["Bash", RM],
    ["run_shell_command", RM],
    ["Execute", RM],
    ["exec_command", '{"cmd": "rm -rf /"}'],
    ["run_commands", '{"commands": ["rm -rf /"]}'],
  ])("%s finds a guard on Shell in try, which says so", async (tool, input) => {
    const { code, stdout, stderr } = await guarded().run([
      "try",
      "before_tool",
      "--tool",
      tool,
      "--input",
      input,
    ]);
    expect(code).toBe(2);
    expect(stdout).toContain("blocked by guard");
    expect(stderr).toMatch(
      new RegExp(`^tenterhook: ${tool} means Shell, the name that hooks get for this tool of [A-Z]`),
    );
  });

  test("finds it in explain, and in an event of a file", async () => {
    const sandbox = guarded();
    const explained = await sandbox.run(["explain", "PreToolUse", "--tool", "Bash", "--input", RM]);
    expect(explained.stdout).toMatch(/^before_tool Shell: 1 hook would be called\n/);
    expect(explained.stderr).toContain("Bash means Shell");
    const event = { event_type: "before_tool", tool_name: "Bash", tool_input: { command: "rm -rf /" } };
    const file = sandbox.write(
      join(sandbox.project, "event.json"),
      JSON.stringify({ ...event, tool_use_id: "1" }),
    );
    expect((await sandbox.run(["try", "--event", file])).code).toBe(2);
  });

  test("has the arguments of hooks after the translation, as in a real call", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("reader", { scope: "user", script: "cat >&2; exit 2" });
    const input = '{"path": "secrets.txt"}';
    const { stdout } = await sandbox.run([
      "try",
      "before_tool",
      "--tool",
      "Read",
      "--input",
      input,
      "--json",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      tool_input: { file_path: join(sandbox.project, "secrets.txt") },
    });
  });

  test.each<[string, string, string | undefined, number]>([
    ["^Bash$", "Bash", "Shell", 2],
    ["^run_shell_command$", "Bash", "Shell", 2],
    ["^exec_", "exec_command", "Shell", 0],
    ["^Edit$", "Edit", "EditFile", 2],
    ["^Edit$", "Write", "WriteFile", 0],
    ["^deploy$", "deploy", undefined, 2],
  ])(
    "is matched by %s with %s as in a real call, in explain and in try",
    async (tool, named, canonical, code) => {
      const sandbox = new CommandSandbox();
      sandbox.hook("guard", {
        scope: "user",
        fields: [`matcher: { tool: ${tool} }`, "action: block", "reason: no"],
      });
      const options = ["before_tool", "--tool", named, "--json"];
      const explained = JSON.parse((await sandbox.run(["explain", ...options])).stdout);
      expect(explained).toMatchObject({
        tool: canonical ?? named,
        hooks: [{ hook: "guard", effect: code === 2 ? "blocks" : "left_out" }],
      });
      const tried = await sandbox.run(["try", ...options]);
      expect(tried.code).toBe(code);
      const hooks = createHooks();
      new FileHooks({ cwd: sandbox.project, env: { HOME: sandbox.home } }).attach(hooks);
      const { action } = await hooks.dispatch("before_tool", { toolName: canonical ?? named, toolInput: {} });
      expect(action).toBe(code === 2 ? "refuse" : "go_on");
    },
  );

  test("is not an alias in the event, so that a script reads what it reads in a real call", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("reader", {
      scope: "user",
      fields: ["matcher: { tool: ^Bash$ }"],
      script: `cat > "${sandbox.project}/event.json"`,
      cases: `- name: reads\n  event: { tool_name: Bash, tool_input: ${RM} }\n  expect: { outcome: allow }`,
    });
    const read = () => JSON.parse(sandbox.read(join(sandbox.project, "event.json")));
    await sandbox.run(["try", "before_tool", "--tool", "Bash", "--input", RM]);
    expect(read()).toMatchObject({ tool_name: "Shell" });
    expect(read()).not.toHaveProperty("tool_aliases");
    rmSync(join(sandbox.project, "event.json"));
    await sandbox.run(["test"]);
    expect(read()).toMatchObject({ tool_name: "Shell" });
    expect(read()).not.toHaveProperty("tool_aliases");
  });

  test("with several meanings is said to have them, until an input decides", async () => {
    const sandbox = guarded();
    const said = async (...more: string[]) =>
      (await sandbox.run(["explain", "before_tool", "--tool", "editor", ...more])).stderr;
    expect(await said()).toMatch(/^tenterhook: editor means WriteFile or EditFile, the name that hooks get/);
    expect(await said("--input", '{"path": "a", "old_text": "b"}')).toMatch(
      /^tenterhook: editor means EditFile,/,
    );
  });

  test("is matched by a hook for that very name, and a tool's own name is not reported", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("own-task", {
      scope: "user",
      fields: ["matcher: { tool: ^task$ }", "action: block", "reason: no"],
    });
    expect((await sandbox.run(["try", "before_tool", "--tool", "task"])).code).toBe(2);
    expect((await sandbox.run(["try", "before_tool", "--tool", "Shell"])).stderr).toBe("");
    expect((await sandbox.run(["try", "before_tool", "--tool", "deploy"])).stderr).toBe("");
  });

  test("with several calls in its input asks for one of them", async () => {
    const input = '{"commands": ["ls", "rm -rf /"]}';
    const { code, stderr } = await guarded().run([
      "try",
      "before_tool",
      "--tool",
      "run_commands",
      "--input",
      input,
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain("this call of run_commands is 2 calls of Shell.");
  });

  test("is accepted in a hook's test case, with a note", async () => {
    const sandbox = new CommandSandbox();
    const expectation = "  expect: { outcome: deny }";
    const event = `  event: { tool_name: Bash, tool_input: ${RM} }`;
    sandbox.hook("guard", { ...GUARD, cases: ["- name: refuses", event, expectation].join("\n") });
    const { code, stdout } = await sandbox.run(["test"]);
    expect(stdout).toMatch(/✓ refuses.*\n {6}! Bash means Shell, the name that hooks get/);
    expect(code).toBe(0);
  });

  test.each([
    ["Bash", "Shell"],
    ["^Bash$", "^Shell$"],
    ["Write|Edit", "WriteFile|EditFile"],
    ["Shell|Bash", "Shell|Bash"],
    ["Bash.*", "Bash.*"],
    ["deploy", "deploy"],
  ])("%s becomes %s in the matcher of a new hook", async (typed, written) => {
    const sandbox = new CommandSandbox();
    const { stderr } = await sandbox.run(["init", "it", "--trigger", "before_tool", "--tool", typed]);
    expect(sandbox.read(join(sandbox.projectHooks, "it", "HOOK.md"))).toContain(written);
    expect(stderr.includes(" means ")).toBe(typed !== written);
  });
});
