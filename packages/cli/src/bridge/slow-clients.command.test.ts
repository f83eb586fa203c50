import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { text as readText } from "node:stream/consumers";
import { expect, test } from "vitest";
import { BIN, CommandSandbox, ended } from "../testing/command-sandbox.ts";

const CLAUDE = ["bridge", "--client", "claude", "--event", "PreToolUse"];
/** Longer than an answer takes on a busy machine, shorter than a test. */
const TIMEOUT = ["--timeout", "3"];

function started(
  sandbox: CommandSandbox,
  options: readonly string[] = TIMEOUT,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [BIN, ...CLAUDE, ...options], { cwd: sandbox.project, env: sandbox.env() });
}

function bash(command: string): string {
  const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: "1" };
  return JSON.stringify({ session_id: "s1", hook_event_name: "PreToolUse", ...call });
}

/** The signals that a process catches, a bit for each; the first is SIGHUP. */
function caughtSignals(pid = 0): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number.parseInt(/^SigCgt:\s*(\w+)$/m.exec(status)?.[1]?.slice(-8) ?? "0", 16);
}

test.each([
  ["sends nothing", ""],
  ["sends half of its payload", bash("ls").slice(0, 40)],
  ["sends half of a character", "\ufeff{".slice(0, 1)],
])("a client that %s and keeps the pipe open is answered in time, by on_error", async (_, half) => {
  const strict = new CommandSandbox();
  strict.hook("strict", { scope: "user", fields: ["on_error: block"], script: "exit 0" });
  const lax = new CommandSandbox();
  lax.hook("lax", { scope: "user", script: "exit 2" });
  const begun = performance.now();
  const [blocked, passed] = await Promise.all(
    [strict, lax].map(async (sandbox) => {
      const child = started(sandbox);
      child.stdin.write(half);
      const end = await ended(child);
      child.stdin.destroy();
      return end;
    }),
  );
  expect(performance.now() - begun).toBeLessThan(60_000);
  expect(blocked).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("strict must not be passed over"),
  });
  expect(JSON.parse(blocked?.stdout ?? "").hookSpecificOutput.permissionDecision).toBe("deny");
  expect(passed?.code).toBe(0);
  expect(JSON.parse(passed?.stdout ?? "").systemMessage).toMatch(/did not send|sent only a part/);
});

test("a payload that comes in pieces, through a pipe that stays open, is checked when it is complete", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", {
    scope: "user",
    fields: ["matcher:", "  pattern: rm"],
    script: "echo no >&2; exit 2",
  });
  const child = started(sandbox, []);
  const text = bash("rm {} \\; żółć");
  for (let at = 0; at < text.length; at += 7) {
    child.stdin.write(Buffer.from(text.slice(at, at + 7)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { code, stderr } = await ended(child);
  child.stdin.destroy();
  expect({ code, stderr }).toEqual({ code: 2, stderr: "no\n" });
});

test.each(["", bash("ls").slice(0, 40)])(
  "a signal while the client has sent %j refuses the call, because nothing was checked",
  async (half) => {
    const child = started(new CommandSandbox(), []);
    child.stdin.write(half);
    // Node itself does not catch SIGHUP: once it is caught, the bridge waits.
    await expect.poll(() => caughtSignals(child.pid) & 1).toBe(1);
    child.kill("SIGTERM");
    expect(await ended(child)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("ended the bridge"),
    });
    child.stdin.destroy();
  },
);

test.each([
  ["a pipe of the shell", `cat "$INPUT" | "$NODE" "$BIN" ${CLAUDE.join(" ")}`],
  ["a file", `"$NODE" "$BIN" ${CLAUDE.join(" ")} < "$INPUT"`],
])("a payload is read from %s", async (_, line) => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { scope: "user", fields: ["action: block", "reason: no"] });
  const INPUT = `${sandbox.root}/input`;
  sandbox.write(INPUT, bash("ls"));
  const env = { ...sandbox.env(), INPUT, BIN, NODE: process.execPath };
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile("/bin/sh", ["-c", line], { cwd: sandbox.project, env }, (error, _out, err) =>
      resolve({ code: error?.code ?? 0, stderr: err }),
    );
  });
  expect({ code, stderr }).toEqual({ code: 2, stderr: "no\n" });
});

test.each(["< /dev/null", "<&-"])("nothing on standard input (%s) is no payload", async (redirect) => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { scope: "user", fields: ["on_error: block"], script: "exit 0" });
  const env = { ...sandbox.env(), BIN, NODE: process.execPath };
  const line = `"$NODE" "$BIN" ${CLAUDE.join(" ")} ${redirect}`;
  const code = await new Promise((resolve) => {
    execFile("/bin/sh", ["-c", line], { cwd: sandbox.project, env }, (error) => resolve(error?.code ?? 0));
  });
  expect(code).toBe(2);
});

test("a payload of 50 MB whose text looks like the end of an object is read in time", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { scope: "user", fields: ["matcher:", "  pattern: END"], script: "exit 2" });
  const child = started(sandbox, ["--timeout", "60"]);
  child.stdin.on("error", () => undefined);
  child.stdin.end(bash(`${"}".repeat(50 * 1_048_576)}END`));
  expect((await ended(child)).code).toBe(2);
});

/** A question with a text that is longer than what a pipe takes. */
function talkative(): CommandSandbox {
  const sandbox = new CommandSandbox();
  const reason = `$(head -c 900000 /dev/zero | tr '\\0' x)`;
  sandbox.hook("guard", {
    scope: "user",
    script: `echo "{\\"decision\\":\\"ask\\",\\"reason\\":\\"${reason}\\"}"`,
  });
  return sandbox;
}

test("a long answer reaches a client that reads it slowly", async () => {
  const child = started(talkative(), []);
  child.stdin.end(bash("ls"));
  let length = 0;
  for await (const chunk of child.stdout) {
    length += (chunk as Buffer).length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(length).toBeGreaterThan(900_000);
});

test("a client that does not read its answer is left at its deadline, with a refusal", async () => {
  // Time for the hook's answer on a busy machine as well.
  const child = started(talkative(), ["--timeout", "20"]);
  child.stdin.end(bash("ls"));
  const stderr = readText(child.stderr);
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(2);
  child.stdout.destroy();
  expect(await stderr).toContain("the agent did not read its answer");
});

test("a signal ends a bridge whose answer is not read", async () => {
  const child = started(talkative(), []);
  child.stdin.end(bash("ls"));
  await new Promise((resolve) => child.stdout.once("readable", resolve));
  child.kill("SIGTERM");
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(2);
  child.stdout.destroy();
});
