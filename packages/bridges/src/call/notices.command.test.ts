import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BridgeSandbox } from "../testing/bridge-sandbox.ts";
import type { NativeAnswer } from "./encode/encode.ts";

const SESSION = { session_id: "s1" };

/** A call of a tool in each client, and the next event at which the person can see what was not checked. */
const CLIENTS = [
  { client: "claude", tool: "claude/PreToolUse.Bash", shows: "claude/PreToolUse.Bash", session: SESSION },
  { client: "codex", tool: "codex/PreToolUse.Bash", shows: "codex/PreToolUse.Bash", session: SESSION },
  {
    client: "gemini",
    tool: "gemini/BeforeTool.run_shell_command",
    shows: "gemini/BeforeTool.run_shell_command",
    session: SESSION,
  },
  {
    client: "copilot",
    tool: "copilot-pascal/PreToolUse.Bash",
    shows: "copilot-pascal/PreToolUse.Bash",
    session: SESSION,
  },
  { client: "qwen", tool: "qwen/PreToolUse.run_shell_command", shows: "qwen/Stop", session: SESSION },
  { client: "kimi", tool: "kimi/PreToolUse.Bash", shows: "kimi/UserPromptSubmit", session: SESSION },
  { client: "droid", tool: "droid/PreToolUse.Execute", shows: "droid/PostToolUse.Execute", session: SESSION },
  {
    client: "opencode",
    tool: "opencode/PreToolUse.bash",
    shows: "opencode/PreToolUse.bash",
    session: SESSION,
  },
] as const;

/** The ways in which a hook that lets calls pass on a failure can fail, and what the person reads about it. */
const FAILURES: readonly { what: string; prepare: (sandbox: BridgeSandbox) => void; note: RegExp }[] = [
  {
    what: "fails",
    prepare: (sandbox) => void sandbox.hook("lax", { fields: ["on_error: continue"], script: "exit 7" }),
    note: /lax.*\b7\b/,
  },
  {
    what: "hangs",
    prepare: (sandbox) =>
      void sandbox.hook("lax", {
        fields: ["on_error: continue", "timeout: 300"],
        script: "exec sleep 60",
      }),
    note: /lax/,
  },
  {
    what: "has no interpreter",
    prepare: (sandbox) => {
      const folder = sandbox.hook("lax", { fields: ["on_error: continue"] });
      const script = sandbox.write(join(folder, "scripts", "run"), "#!/nowhere/at-all\n");
      chmodSync(script, 0o755);
    },
    note: /lax/,
  },
  {
    what: "answers nonsense",
    prepare: (sandbox) =>
      void sandbox.hook("lax", { fields: ["on_error: continue"], script: `echo '{"decision":"perhaps"}'` }),
    note: /lax/,
  },
  {
    what: "is not trusted",
    prepare: (sandbox) => void sandbox.hook("lax", { project: sandbox.project, script: "exit 2" }),
    note: /lax.*trust/,
  },
];

const cases = CLIENTS.flatMap((client) => FAILURES.map((failure) => ({ ...client, ...failure })));

test.each(cases)(
  "$client shows the person once that a hook $what, and the call passes",
  async ({ tool, shows, session, prepare, note }) => {
    const sandbox = new BridgeSandbox();
    prepare(sandbox);
    const first = await sandbox.send(tool, { ...session, ...withId("1") });
    expect(first.exit).toBe(0);
    const shown = shows === tool ? first : await sandbox.send(shows, session);
    expect(shown.exit).toBe(0);
    expect(visibleIn(shown)).toMatch(note);
    if (shows !== tool) expect(visibleIn(first)).toBe("");
    const again = await sandbox.send(tool, { ...session, ...withId("2") });
    const later = shows === tool ? again : await sandbox.send(shows, session);
    expect([again, later].map(visibleIn)).toEqual(["", ""]);
    const elsewhere = { ...session, session_id: "s2", ...withId("3") };
    await sandbox.send(tool, elsewhere).then(async (answer) => {
      const other = shows === tool ? answer : await sandbox.send(shows, { ...session, session_id: "s2" });
      expect(visibleIn(other)).toMatch(note);
    });
  },
);

test("Claude Code, which shows notes on a terminal only, prints them once more as the session ends", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("lax", { fields: ["on_error: continue"], script: "exit 7" });
  await sandbox.send("claude/PreToolUse.Bash", SESSION);
  await sandbox.send("claude/PreToolUse.Bash", { ...SESSION, tool_use_id: "2" });
  const end = await sandbox.send("claude/SessionEnd", SESSION);
  expect(end).toMatchObject({ stdout: "", exit: 2 });
  expect(end.stderr.match(/lax/g)).toHaveLength(1);
  expect(await sandbox.send("claude/SessionEnd", { ...SESSION, session_id: "s2" })).toEqual({
    stdout: "",
    stderr: "",
    exit: 0,
  });
});

test("Claude Code prints them as the session ends although a hook of that event runs on", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("lax", { fields: ["on_error: continue"], script: "exit 7" });
  sandbox.hook("farewell", { trigger: "session_end", script: "exit 0" });
  await sandbox.send("claude/PreToolUse.Bash", SESSION);
  expect(await sandbox.send("claude/SessionEnd", SESSION)).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("lax"),
  });
  expect(sandbox.jobs).toHaveLength(1);
});

test("beside a refusal nothing else is printed, and the next event shows what failed", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("lax", { fields: ["on_error: continue", "priority: 900"], script: "exit 7" });
  sandbox.hook("guard", { fields: ["matcher: { tool: Shell }"], script: "echo no >&2; exit 2" });
  const refused = await sandbox.send("claude/PreToolUse.Bash", SESSION);
  expect(refused).toMatchObject({ exit: 2, stderr: "no\n" });
  expect(refused.stdout).not.toContain("lax");
  expect(visibleIn(await sandbox.send("claude/Stop", SESSION))).toContain("lax");
});

test("a hook that waits longer than the client does is shown when the call passes", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("slow", { fields: ["on_error: continue", "timeout: 60000"], script: "exec sleep 60" });
  const answer = await sandbox.send("gemini/BeforeTool.run_shell_command", SESSION, { timeoutMs: 1_500 });
  expect(answer.exit).toBe(0);
  expect(visibleIn(answer)).toContain("was not checked");
});

test("where nothing can be stored, every call shows it, and one that cannot prints it on standard error", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.write(join(sandbox.home, ".local", "state"), "no folder");
  sandbox.hook("lax", { fields: ["on_error: continue"], script: "exit 7" });
  for (const id of ["1", "2"]) {
    const shown = await sandbox.send("claude/PreToolUse.Bash", { ...SESSION, tool_use_id: id });
    expect(visibleIn(shown)).toContain("lax");
  }
  const unseen = await sandbox.send("kimi/PreToolUse.Bash", SESSION);
  expect(unseen).toMatchObject({ exit: 0, stderr: expect.stringContaining("lax") });
});

test("calls that name no session show it every time", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("lax", { fields: ["on_error: continue"], script: "exit 7" });
  for (const id of ["1", "2"]) {
    const shown = await sandbox.send("claude/PreToolUse.Bash", { session_id: "", tool_use_id: id });
    expect(visibleIn(shown)).toContain("lax");
  }
});

test("what a failing hook prints cannot move the cursor of the person's terminal", async () => {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("lax", { fields: ["on_error: continue"], script: "" });
  writeFileSync(
    join(folder, "scripts", "run.sh"),
    `#!/bin/sh\nprintf '\\033[2J\\033]0;owned\\007\\nall is well' >&2; exit 7\n`,
  );
  const shown = visibleIn(await sandbox.send("claude/PreToolUse.Bash", SESSION));
  expect(shown).toContain("lax");
  expect(shown).not.toMatch(/\p{Cc}/u);
});

test("a payload that cannot be read, and passes, is shown once in a session that the environment names", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("lax", { fields: ["on_error: continue"], script: "exit 2" });
  const call = { stdin: "{", env: { CLAUDE_CODE_SESSION_ID: "s1" } };
  const shown = await sandbox.send("claude/PreToolUse.Bash", {}, call);
  expect(shown.exit).toBe(0);
  expect(visibleIn(shown)).toContain("was not checked");
  expect(visibleIn(await sandbox.send("claude/PreToolUse.Bash", {}, call))).toBe("");
});

/** What the person sees of an answer. */
function visibleIn({ stdout, exit, stderr }: NativeAnswer): string {
  if (exit === 2) return stderr;
  const texts = stdout.split("\n").flatMap((line) => {
    try {
      const { systemMessage, note, message } = JSON.parse(line) as Readonly<
        Record<string, string | undefined>
      >;
      return [systemMessage ?? note ?? message ?? ""];
    } catch {
      return [line];
    }
  });
  return texts.join("");
}

function withId(id: string): Readonly<Record<string, string>> {
  return { tool_use_id: id, tool_call_id: id };
}
