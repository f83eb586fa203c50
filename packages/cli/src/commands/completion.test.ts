import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../commands.ts";
import { completionsOf } from "../completion/completions.ts";
import { scriptFor } from "../completion/scripts.ts";
import { Sandbox } from "../testing/sandbox.ts";

/** What bash would offer for a line whose last word is being typed. */
async function offered(...line: readonly string[]): Promise<readonly string[]> {
  const script = scriptFor("bash", await completionsOf(COMMANDS));
  const words = ["tenterhook", ...line].map((word) => `'${word}'`).join(" ");
  const program = `${script}\nCOMP_WORDS=(${words}); COMP_CWORD=${line.length}; _tenterhook; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", program], { encoding: "utf8" }).split("\n").filter(Boolean);
}

describe("completion", () => {
  test("completes verbs, their words and their options in bash", async () => {
    expect(await offered("exp")).toEqual(["explain"]);
    expect(await offered("approvals", "")).toEqual(["list", "show", "approve", "reject"]);
    expect(await offered("explain", "before_t")).toEqual(["before_tool"]);
    expect(await offered("explain", "before_tool", "--to")).toEqual(["--tool"]);
    expect(await offered("trust", "")).toEqual([]);
  });

  test.each(["bash", "zsh", "fish"])("prints a script for %s that names every verb", async (shell) => {
    const { code, stdout } = await new Sandbox().run(["completion", shell]);
    expect(code).toBe(0);
    for (const { name } of await completionsOf(COMMANDS)) expect(stdout).toContain(name);
  });

  test("refuses a shell that it does not know, and names those that it does", async () => {
    const { code, stderr } = await new Sandbox().run(["completion", "tcsh"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("bash, zsh, fish")]);
  });
});
