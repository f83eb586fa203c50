import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "./commands.ts";
import { CommandSandbox } from "./testing/command-sandbox.ts";

describe("tenterhook", () => {
  test("alone, --help and help print the overview with every command", async () => {
    const sandbox = new CommandSandbox();
    const runs = await Promise.all([[], ["--help"], ["help"]].map((args) => sandbox.run(args)));
    for (const { code, stdout } of runs) {
      expect(code).toBe(0);
      for (const command of Object.keys(COMMANDS)) expect(stdout).toMatch(new RegExp(`^  ${command} `, "m"));
    }
  });

  test("--version prints the version of its package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(await new CommandSandbox().run(["--version"])).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
  });

  test.each([
    ["lst", 'unknown command "lst".\nDid you mean list?'],
    ["exp", "Did you mean explain?"],
    ["--versoin", "unknown option --versoin.\nDid you mean --version?"],
    ["frobnicate", "Run tenterhook --help"],
    ["runz", 'unknown command "runz".\nDid you mean runs?'],
    ["aproval", "Did you mean approvals?"],
    ["runner", "Did you mean runners start?"],
    ["run-agent", "Did you mean run? It takes a JSON file or the name of an agent, and waits; --detach"],
    ["try-hook", "Did you mean try? For a hook of a coordinator: tenterhook try on_run_start --hook NAME"],
    ["token", "Did you mean tokens?"],
    ["hooks", "Did you mean list? It lists the hooks of this folder."],
  ])("%s is refused with a suggestion", async (command, message) => {
    const { code, stdout, stderr } = await new CommandSandbox().run([command]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  test.each(Object.keys(COMMANDS))("%s --help shows its options and an example", async (command) => {
    const { code, stdout } = await new CommandSandbox().run([command, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: tenterhook ${command}`);
    expect(stdout).toContain("--json");
    expect(stdout).toMatch(new RegExp(`^Examples?:\n  tenterhook ${command}`, "m"));
  });

  test.each([
    [["list", "--al"], "unknown option --al.\nDid you mean --all?"],
    [["list", "--json=yes"], "--json takes no value."],
    [["list", "surplus"], 'unexpected argument "surplus".'],
    [["explain", "before_tool", "--tool"], "--tool needs a value."],
    [["explain", "before_tool", "--tool", "--json"], "--tool needs a value."],
    [["explain"], "Name an event: tenterhook explain before_tool."],
    [["explain", "before_tool", "--script", "--tool", "Shell"], "--tool is about the hooks of this folder"],
    [["run"], "Usage: tenterhook run AGENT"],
    [["run", "--resume", "ses_1", "hi", "--max-steps", "3"], "--max-steps is for an agent that is named"],
    [["run", "hello", "--wait", "--detach"], "--detach and --wait exclude each other."],
    [["run", "--resume", "ses_1", "--wait", "--detach"], "--detach and --wait exclude each other."],
  ])("%j is a usage error with advice", async (args, message) => {
    const { code, stderr } = await new CommandSandbox().run(args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test("with --json an error is JSON on standard output; otherwise standard output is empty", async () => {
    const sandbox = new CommandSandbox();
    const [plain, json] = await Promise.all([
      sandbox.run(["explain", "before_tol"]),
      sandbox.run(["explain", "before_tol", "--json"]),
    ]);
    expect(plain.stdout).toBe("");
    expect(JSON.parse(json.stdout)).toEqual({
      error: { message: 'unknown event "before_tol".', hint: "Did you mean before_tool?" },
    });
  });

  test("uses colours only on a terminal without NO_COLOR", async () => {
    const sandbox = new CommandSandbox();
    const [piped, terminal, quiet] = await Promise.all([
      sandbox.run(["--help"]),
      sandbox.onTerminal(["--help"]),
      sandbox.onTerminal(["--help"], [], { NO_COLOR: "1" }),
    ]);
    expect(piped.stdout).not.toContain("\u001B");
    expect(terminal.stdout).toContain("\u001B[1m");
    expect(quiet.stdout).toBe(piped.stdout);
  });
});
