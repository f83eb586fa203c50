import { spawn } from "node:child_process";
import { chmodSync, chownSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox, ended, type Ran } from "../testing/command-sandbox.ts";

/** No limit of processes applies to root. */
const OWN = process.getuid?.() ?? 0;
const USER = OWN === 0 ? 65_534 : OWN;

/** dash has another letter for the limit of processes. */
const NO_PROCESS = "ulimit -u 1 2>/dev/null || ulimit -p 1; ";

/** A home with a guard that has been installed for Claude Code and Cline, and belongs to a user with limits. */
async function installed(onError: "block" | "continue"): Promise<CommandSandbox> {
  const sandbox = new CommandSandbox();
  chmodSync(sandbox.root, 0o755);
  for (const folder of [sandbox.home, sandbox.project]) chownSync(folder, USER, process.getgid?.() ?? USER);
  sandbox.hook("guard", { scope: "user", fields: [`on_error: ${onError}`], script: "exit 2" });
  const { code, stderr } = await sandbox.run(["install", "claude", "cline"]);
  expect([code, stderr]).toEqual([0, ""]);
  return sandbox;
}

function call(sandbox: CommandSandbox, client: string, before: string, after = ""): Promise<Ran> {
  const hook = join(sandbox.home, ".local", "share", "tenterhook-bridge", "hook");
  const script = `${before}exec '${hook}' --client ${client} --event PreToolUse --timeout 60 ${after}`;
  const child = spawn("/bin/sh", ["-c", script], {
    cwd: sandbox.project,
    env: sandbox.env(),
    ...(OWN === 0 && { uid: USER, gid: process.getgid?.() ?? USER }),
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end("{}");
  return ended(child);
}

describe("an installed script whose shell can start no process", () => {
  test("refuses where a guard has on_error: block, in the form of each client", async () => {
    const sandbox = await installed("block");
    const claude = await call(sandbox, "claude", NO_PROCESS);
    expect(JSON.parse(claude.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
    expect(claude.code).toBe(2);
    const cline = await call(sandbox, "cline", NO_PROCESS);
    expect(JSON.parse(cline.stdout)).toMatchObject({ cancel: true });
    expect(cline.code).toBe(0);
  });

  test("lets a call pass with a message where the guard has on_error: continue", async () => {
    const sandbox = await installed("continue");
    const { code, stdout } = await call(sandbox, "claude", NO_PROCESS);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { systemMessage: expect.stringContaining("without being checked") },
    ]);
  });
});

test("a refusal that cannot be written ends with the exit code that refuses", async () => {
  const sandbox = await installed("block");
  const checked = await call(sandbox, "cline", "", ">/dev/full");
  expect(checked.code).toBe(2);
  const hook = join(sandbox.home, ".local", "share", "tenterhook-bridge", "hook");
  const script = sandbox.read(hook);
  rmSync(hook);
  writeFileSync(hook, script.replace(/^node=.*$/m, "node=/nonexistent/node"), { mode: 0o755 });
  const notChecked = await call(sandbox, "cline", "", ">/dev/full");
  expect(notChecked.code).toBe(2);
});
