import { spawn } from "node:child_process";
import { appendFileSync, readdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { BIN, CommandSandbox } from "../testing/command-sandbox.ts";

const SHELL = ["try", "before_tool", "--tool", "Shell", "--input"];

function record(reason: string, more: object = {}): string {
  return `${JSON.stringify({
    time: "2026-11-15T09:00:00.000Z",
    event: "before_tool",
    tool_name: "Shell",
    outcome: "block",
    action: "refuse",
    decided_by: "guard",
    reason,
    entries: [{ hook: "guard", verdict: "block", action: "refuse", duration_ms: 12 }],
    ...more,
  })}\n`;
}

async function reasons(sandbox: CommandSandbox, args: readonly string[] = []): Promise<string[]> {
  const { stdout } = await sandbox.run(["log", "--json", ...args]);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).reason);
}

describe("log", () => {
  test("shows records of try: time, event, hook, outcome, reason, duration", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", {
      scope: "user",
      script: "grep -q rm && { echo 'too dangerous' >&2; exit 2; }; exit 0",
    });
    await sandbox.run([...SHELL, '{"command": "ls"}']);
    await sandbox.run([...SHELL, '{"command": "rm"}']);
    const { code, stdout } = await sandbox.run(["log"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z before_tool Shell "ls" proceed [\d.]+ ms \(a trial\)\n {4}guard proceed [\d.]+ ms\n/,
    );
    expect(stdout).toMatch(
      /before_tool Shell "rm" block by guard [\d.]+ ms \(a trial\)\n {4}too dangerous\n/,
    );
    expect(await reasons(sandbox, ["--blocked"])).toEqual(["too dangerous"]);
  });

  test("redacts a secret in the command of a trial, and marks the record in JSON", async () => {
    const sandbox = new CommandSandbox();
    const secret = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
    sandbox.hook("guard", { scope: "user", script: "exit 0" });
    await sandbox.run(["try", "--command", `${"x".repeat(280)} ${secret}`]);
    const { stdout } = await sandbox.run(["log", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      trial: true,
      subject: expect.stringMatching(/^x{280} \[redacted/),
    });
    expect(sandbox.read(sandbox.auditFile)).not.toContain(secret.slice(0, 12));
  });

  test("redacts a secret that a hook repeats", async () => {
    const sandbox = new CommandSandbox();
    const secret = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
    sandbox.hook("parrot", { scope: "user", script: `echo "you said ${secret}" >&2; exit 2` });
    await sandbox.run([...SHELL, "{}"]);
    expect(sandbox.read(sandbox.auditFile)).toContain("you said");
    expect(sandbox.read(sandbox.auditFile)).not.toContain(secret);
  });

  test("reads rotated files first, oldest to newest", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(`${sandbox.auditFile}.2`, record("first"));
    sandbox.write(`${sandbox.auditFile}.1`, record("second"));
    sandbox.write(sandbox.auditFile, record("third"));
    expect(await reasons(sandbox)).toEqual(["first", "second", "third"]);
  });

  test("--limit keeps the last records and counts the others", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(sandbox.auditFile, ["a", "b", "c"].map((reason) => record(reason)).join(""));
    expect(await reasons(sandbox, ["--limit", "2"])).toEqual(["b", "c"]);
    expect((await sandbox.run(["log", "--limit", "2"])).stderr).toContain(
      "1 earlier record left out; --limit 3 shows all",
    );
  });

  test("--since accepts a duration or a time", async () => {
    const sandbox = new CommandSandbox();
    const ago = (minutes: number) => ({ time: new Date(Date.now() - minutes * 60_000).toISOString() });
    sandbox.write(
      sandbox.auditFile,
      record("old", ago(180)) + record("older hour", ago(61)) + record("new", ago(5)),
    );
    expect(await reasons(sandbox, ["--since", "1h"])).toEqual(["new"]);
    expect(await reasons(sandbox, ["--since", "2h"])).toEqual(["older hour", "new"]);
    expect(await reasons(sandbox, ["--since", ago(10).time])).toEqual(["new"]);
    expect(await reasons(sandbox, ["--since", "2020-01-01"])).toEqual(["old", "older hour", "new"]);
  });

  test("counts and skips an incomplete line, and escapes control characters", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(sandbox.auditFile, `${record("one")}{"time": "2026\n${record("\u001b[2Jtwo")}`);
    const { stdout, stderr } = await sandbox.run(["log"]);
    expect(stderr).toContain("1 line of");
    expect(stdout).toContain("    one\n");
    expect(stdout).toContain("    \\u{1b}[2Jtwo\n");
  });

  test("reports an empty trail", async () => {
    const { code, stdout } = await new CommandSandbox().run(["log"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^No records in .*audit\.jsonl\.\n$/),
    });
  });

  test.each([
    [["--since", "yesterday"], '"yesterday" is not a time.'],
    [["--limit", "0"], '--limit must be a whole number of at least 1, not "0".'],
    [["--folow"], "Did you mean --follow?"],
  ])("%j is a usage error", async (args, message) => {
    const { code, stderr } = await new CommandSandbox().run(["log", ...args]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test("--follow prints new records, also after a rotation, until it is interrupted", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(sandbox.auditFile, record("past"));
    const child = spawn(process.execPath, [BIN, "log", "--follow", "--json", "--blocked"], {
      cwd: sandbox.project,
      env: sandbox.env(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    let seen = "";
    let wake: (() => void) | undefined;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      seen += text;
      wake?.();
    });
    const until = async (reason: string) => {
      while (!seen.includes(`"${reason}"`)) await new Promise<void>((resolve) => (wake = resolve));
    };
    await until("past");
    const [begin, end] = [record("present").slice(0, 40), record("present").slice(40)];
    appendFileSync(sandbox.auditFile, begin);
    appendFileSync(
      sandbox.auditFile,
      end + record("unseen", { outcome: "proceed" }) + record("last of the old"),
    );
    renameSync(sandbox.auditFile, `${sandbox.auditFile}.1`);
    sandbox.write(sandbox.auditFile, record("first of the new"));
    await until("first of the new");
    child.kill("SIGINT");
    expect(await ended).toBe(0);
    const reasonsSeen = seen
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).reason);
    expect(reasonsSeen).toEqual(["past", "present", "last of the old", "first of the new"]);
  });

  const agent = (client: string, more: object = {}) =>
    record("never force-push", {
      client,
      native_event: "PreToolUse",
      session_id: `s-${client}`,
      project: `/projects/${client}`,
      subject: "git push --force",
      reported: "block",
      duration_ms: 48,
      decided_by: "no-force",
      ...more,
    });

  test("a call that a coding agent was refused reads as a sentence", async () => {
    const sandbox = new CommandSandbox();
    const gate = { event: "before_stop", tool_name: undefined, subject: undefined, reason: "the tests fail" };
    sandbox.write(
      sandbox.auditFile,
      agent("claude") + agent("codex", gate) + agent("kimi", { outcome: "proceed", reported: "nothing" }),
    );
    const { stdout } = await sandbox.run(["log"]);
    expect(stdout).toContain(
      'Claude Code wanted to call Shell "git push --force", and no-force refused it: never force-push\n    session s-claude · /projects/claude · 48 ms\n',
    );
    expect(stdout).toContain("Codex CLI wanted to stop, and no-force kept it working: the tests fail\n");
    expect(stdout).toContain("Kimi Code wanted to call Shell");
    expect(stdout).toContain(", and it continued\n");
  });

  test("a line of version 0.1.0, which says what was reported as `told`, reads as the same sentence", async () => {
    const sandbox = new CommandSandbox();
    const kinds = ["block", "nothing", "rewrite", "ask", "result", "context"];
    const lines = (key: string) =>
      ["block", "proceed"].flatMap((outcome) =>
        kinds.map((kind) => agent("claude", { outcome, reported: undefined, [key]: kind })),
      );
    const printed = async (key: string) => {
      sandbox.write(sandbox.auditFile, lines(key).join(""));
      return (await sandbox.run(["log", "--limit", "50"])).stdout;
    };
    const sentences = await printed("reported");
    expect(new Set(sentences.match(/, and .*/g)).size).toBe(8);
    expect(await printed("told")).toBe(sentences);
  });

  test("--client, --session and --project choose among them", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(sandbox.auditFile, agent("claude") + agent("codex") + agent("kimi") + record("in code"));
    const clients = async (...args: string[]) =>
      (await sandbox.run(["log", "--json", ...args])).stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).client);
    expect(await clients("--client", "claude,kimi")).toEqual(["claude", "kimi"]);
    expect(await clients("--session", "s-co")).toEqual(["codex"]);
    expect(await clients("--project", "/projects/kimi")).toEqual(["kimi"]);
    expect((await sandbox.run(["log", "--client", "cloude"])).stderr).toContain("Did you mean claude?");
  });

  test("bridges and other commands that write at once set the file aside once, and lose no line", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { scope: "user", fields: ["action: block", "reason: no"] });
    const filler = record("x".repeat(10 * 1_048_576 - record("").length - 300));
    sandbox.write(sandbox.auditFile, filler);
    const payload = (id: number) =>
      JSON.stringify({
        session_id: `s${id}`,
        cwd: sandbox.project,
        tool_name: "Bash",
        tool_input: {},
        tool_use_id: `t${id}`,
      });
    const bridges = [1, 2, 3, 4].map((id) =>
      sandbox.run(["bridge", "--client", "claude", "--event", "PreToolUse"], { input: payload(id) }),
    );
    const tries = [1, 2, 3, 4].map(() => sandbox.run([...SHELL, "{}"]));
    const codes = (await Promise.all([...bridges, ...tries])).map(({ code }) => code);
    expect(codes).toEqual(Array(8).fill(2));
    const files = readdirSync(dirname(sandbox.auditFile)).filter((name) => name.startsWith("audit"));
    expect(files.sort()).toEqual(["audit.jsonl", "audit.jsonl.1"]);
    const lines = files.flatMap((name) =>
      sandbox
        .read(join(dirname(sandbox.auditFile), name))
        .trimEnd()
        .split("\n"),
    );
    expect(lines.filter((line) => JSON.parse(line).reason === "no")).toHaveLength(8);
  });
});
