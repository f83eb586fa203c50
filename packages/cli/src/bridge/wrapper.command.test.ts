import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { CommandSandbox, ended } from "../testing/command-sandbox.ts";
import { InstalledClaude } from "../testing/installed-claude.ts";

/** A guard whose script writes its process id, and then waits for a minute. */
async function installedWithWaitingGuard(): Promise<{ claude: InstalledClaude; pidFile: string }> {
  const sandbox = new CommandSandbox();
  const pidFile = join(sandbox.root, "pid");
  sandbox.hook("waits", {
    scope: "user",
    fields: ["on_error: block"],
    script: `echo $$ > '${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'; exec sleep 60`,
  });
  return { claude: await InstalledClaude.install(sandbox), pidFile };
}

function isRunning(pid: number): boolean {
  // A process that has ended is listed until its parent has read its end.
  return existsSync(`/proc/${pid}`) && !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

/** The bridge above a hook's process: its parent. */
function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)(
  "%s to the installed script ends the bridge and the hook that runs",
  async (signal) => {
    const { claude, pidFile } = await installedWithWaitingGuard();
    const child = claude.start();
    child.stdin.end(claude.payload("ls"));
    await expect.poll(() => existsSync(pidFile)).toBe(true);
    const hook = Number(readFileSync(pidFile, "utf8"));
    const bridge = parentOf(hook);
    expect(readFileSync(`/proc/${bridge}/cmdline`, "utf8")).toContain("--wrapper");
    child.kill(signal);
    const { code, stderr } = await ended(child);
    await expect.poll(() => [hook, bridge].filter(isRunning)).toEqual([]);
    // SIGKILL leaves nothing to answer with; the others are answered like any other end without an answer.
    expect(code).toBe(signal === "SIGKILL" ? null : 2);
    if (signal !== "SIGKILL") expect(stderr).toContain("the agent ended it before its hooks had answered");
  },
);

test("SIGKILL to the installed script ends the bridge and its hook too where the client never asks for the exit code of what it killed", async () => {
  const { claude, pidFile } = await installedWithWaitingGuard();
  const { sandbox } = claude;
  const payload = sandbox.write(join(sandbox.root, "payload"), claude.payload("ls"));
  const script = `${claude.command()} < '${payload}' & echo $!; exec sleep 60`;
  const client = spawn("/bin/sh", ["-c", script], { cwd: sandbox.project, env: sandbox.env() });
  onTestFinished(() => void client.kill("SIGKILL"));
  const wrapper = Number(await new Promise((resolve) => client.stdout.once("data", resolve)));
  await expect.poll(() => existsSync(pidFile)).toBe(true);
  const hook = Number(readFileSync(pidFile, "utf8"));
  const bridge = parentOf(hook);
  process.kill(wrapper, "SIGKILL");
  await expect.poll(() => [hook, bridge].filter(isRunning)).toEqual([]);
  expect(existsSync(`/proc/${wrapper}`)).toBe(true);
});

test("a bridge that is killed while its hook runs is answered for by the installed script", async () => {
  const { claude, pidFile } = await installedWithWaitingGuard();
  const child = claude.start();
  child.stdin.end(claude.payload("ls"));
  await expect.poll(() => existsSync(pidFile)).toBe(true);
  const hook = Number(readFileSync(pidFile, "utf8"));
  process.kill(parentOf(hook), "SIGKILL");
  const { code, stdout, stderr } = await ended(child);
  process.kill(hook, "SIGKILL");
  expect(code).toBe(2);
  expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("deny");
  expect(stderr).toMatch(/ended with status 137 before it had answered/);
});

test("a payload of almost 32 MiB is checked to its last character", async () => {
  const sandbox = new CommandSandbox();
  const fields = [
    "matcher: { tool: Shell, pattern: FORBIDDEN$ }",
    "action: block",
    "reason: found at the end",
  ];
  sandbox.hook("reads", { scope: "user", fields });
  const claude = await InstalledClaude.install(sandbox);
  const text = "x".repeat(31 * 1024 * 1024);
  expect(await claude.call(`${text}FORBIDDEN`)).toMatchObject({ code: 2, stderr: "found at the end\n" });
  expect(await claude.call(text)).toMatchObject({ code: 0, stdout: "", stderr: "" });
});

test("a client can write all of a long call when the bridge is gone, and is answered", async () => {
  const { claude } = await installedWithWaitingGuard();
  rmSync(claude.bundle, { recursive: true });
  const child = claude.start();
  const failed = vi.fn();
  child.stdin.on("error", failed);
  const written = new Promise<void>((resolve) =>
    child.stdin.end(claude.payload("x".repeat(8_000_000)), resolve),
  );
  const { code } = await ended(child);
  await written;
  expect(code).toBe(2);
  expect(failed).not.toHaveBeenCalled();
});

test("an answer that is longer than a pipe's buffer arrives whole", async () => {
  const sandbox = new CommandSandbox();
  const text = "é".repeat(300_000);
  sandbox.hook("talks", { scope: "user", script: `cat '${join(sandbox.root, "answer")}'` });
  writeFileSync(join(sandbox.root, "answer"), JSON.stringify({ additional_context: text }));
  const claude = await InstalledClaude.install(sandbox);
  const { code, stdout } = await claude.call("ls");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain(text);
});

test.each(["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])(
  "a client that starts it with %s does not get around a guard",
  async (closed) => {
    const sandbox = new CommandSandbox();
    sandbox.hook("strict", { scope: "user", fields: ["on_error: block"], script: "exit 2" });
    const claude = await InstalledClaude.install(sandbox);
    const { code } = await claude.call("ls", {}, `exec ${closed}; `);
    expect(code).toBe(2);
  },
);

test.each([
  ["/", 2],
  ["PROJECT", 2],
  ["PROJECT/below", 0],
  ["PROJECT-2", 0],
])("without node, a guard of the project %s is answered for with exit code %i", async (project, code) => {
  const sandbox = new CommandSandbox();
  const claude = await InstalledClaude.install(sandbox);
  const line = `before_tool\t${project.replace("PROJECT", sandbox.project)}\tguard\n`;
  const list = `${line}# Guards\n`;
  sandbox.write(join(sandbox.home, ".local", "state", "tenterhook", "bridge", "guards"), list);
  const hook = join(claude.folder, "hook");
  writeFileSync(hook, sandbox.read(hook).replace(/^node=.*$/m, "node=/nonexistent/node"));
  expect((await claude.call("ls")).code).toBe(code);
});
