import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../commands.ts";
import { completionsOf, scriptFor } from "../completion/completions.ts";
import { CommandSandbox } from "../testing/command-sandbox.ts";

/** The completions of bash for the last argument of a line. */
async function offered(...line: readonly string[]): Promise<readonly string[]> {
  const script = scriptFor("bash", await completionsOf(COMMANDS));
  const args = ["tenterhook", ...line].map((arg) => `'${arg}'`).join(" ");
  const program = `${script}\nCOMP_WORDS=(${args}); COMP_CWORD=${line.length}; _tenterhook; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", program], { encoding: "utf8" }).split("\n").filter(Boolean);
}

describe("completion", () => {
  test("completes commands, arguments and options in bash", async () => {
    expect(await offered("exp")).toEqual(["explain"]);
    expect(await offered("approvals", "")).toEqual(["list", "show", "approve", "reject"]);
    expect(await offered("runners", "")).toEqual(["list", "start"]);
    expect(await offered("try", "on_run_s")).toEqual(["on_run_start"]);
    expect(await offered("run", "hello", "--de")).toEqual(["--detach"]);
    expect(await offered("explain", "before_t")).toEqual(["before_tool"]);
    expect(await offered("explain", "before_tool", "--to")).toEqual(["--tool"]);
    expect(await offered("trust", "")).toEqual([]);
    expect(await offered("install", "c")).toEqual(["claude", "codex", "copilot", "cline"]);
  });

  test.each(["bash", "zsh", "fish"])("prints a script for %s with every command", async (shell) => {
    const { code, stdout } = await new CommandSandbox().run(["completion", shell]);
    expect(code).toBe(0);
    for (const { name } of await completionsOf(COMMANDS)) expect(stdout).toContain(name);
  });

  test("refuses an unknown shell and lists the known ones", async () => {
    const { code, stderr } = await new CommandSandbox().run(["completion", "tcsh"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("bash, zsh, fish")]);
  });
});
