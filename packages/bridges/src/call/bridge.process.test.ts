import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readGuards } from "@tenterhook/file-hooks/discover";
import { expect, test } from "vitest";
import { BridgeSandbox } from "../testing/bridge-sandbox.ts";
import { runJob } from "./record/run-job.ts";

const BASH = "claude/PreToolUse.Bash";
const answerOf = (stdout: string) => JSON.parse(stdout).hookSpecificOutput;
const rewriting = (fields: readonly string[] = []) => ({
  fields,
  script: `echo '{"modified_input":{"command":"echo safe"}}'`,
});

test("a call that no hook matches gets an empty answer", async () => {
  const sandbox = new BridgeSandbox();
  expect(await sandbox.send(BASH)).toEqual({ stdout: "", stderr: "", exit: 0 });
  expect(await sandbox.send(BASH)).toEqual({ stdout: "", stderr: "", exit: 0 });
  expect(sandbox.log).toEqual([]);
});

test("a hook added after a plan was kept is asked at the next call", async () => {
  const sandbox = new BridgeSandbox();
  await sandbox.send(BASH);
  sandbox.hook("guard", { script: "echo no >&2; exit 2" });
  expect(await sandbox.send(BASH, { tool_use_id: "2" })).toMatchObject({ exit: 2, stderr: "no\n" });
});

test("a hook reads the canonical call, and the native one in context.native", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("keep", { script: `cat > "${sandbox.root}/event.json"` });
  await sandbox.send("kimi/PreToolUse.Write");
  const event = JSON.parse(readFileSync(join(sandbox.root, "event.json"), "utf8"));
  expect(event).toMatchObject({
    event_type: "before_tool",
    tool_name: "WriteFile",
    tool_input: { file_path: join(sandbox.project, "hello.py"), content: "print(1)\n" },
    context: {
      native: { client: "kimi", tool_name: "Write", tool_input: { path: join(sandbox.project, "hello.py") } },
    },
  });
});

test("one matcher blocks the same command in every client", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", {
    fields: ["matcher: { tool: ^Shell$, pattern: FORBIDDEN }", "action: block", "reason: not here"],
  });
  const answers = await Promise.all(
    [
      BASH,
      "codex/PreToolUse.Bash",
      "gemini/BeforeTool.run_shell_command",
      "qwen/PreToolUse.run_shell_command",
      "copilot/preToolUse.bash",
      "copilot-pascal/PreToolUse.Bash",
      "kimi/PreToolUse.Bash",
      "droid/PreToolUse.Execute",
      "cline/tool_call.run_commands",
      "opencode/PreToolUse.bash",
    ].map(async (name) => [name, (await sandbox.send(name)).stderr] as const),
  );
  expect(answers.filter(([, stderr]) => stderr !== "not here\n")).toEqual([]);
});

test("one refused part of a patch refuses all of it, and is named", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", {
    fields: [`matcher: { tool: File, pattern: '\\.env$' }`],
    script: "echo secret >&2; exit 2",
  });
  const { exit, stderr } = await sandbox.send("codex-quirks/PreToolUse.apply_patch.several");
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: `DeleteFile ${sandbox.project}/.env: secret\n` });
});

test("a patch that cannot be read is refused where a hook might have refused it", async () => {
  const sandbox = new BridgeSandbox();
  const unreadable = "codex-quirks/PreToolUse.apply_patch.unreadable";
  expect(await sandbox.send(unreadable)).toMatchObject({ exit: 0 });
  sandbox.hook("guard", { fields: ["matcher: { tool: EditFile }"], script: "exit 0" });
  expect(await sandbox.send(unreadable)).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("could not be read"),
  });
});

test("a rewrite of one of several commands is refused, and of all of them is executed", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("safe", { ...rewriting(), fields: ["matcher: { tool: Shell, pattern: rm }"] });
  const several = "cline-quirks/tool_call.several-commands";
  expect(JSON.parse((await sandbox.send(several)).stdout)).toMatchObject({ cancel: true });
  const single = await sandbox.send(several, {
    tool_call: { id: "3", name: "run_commands", input: { commands: ["rm x"] } },
  });
  expect(JSON.parse(single.stdout)).toEqual({ overrideInput: { commands: ["echo safe"] } });
});

test("a rewrite is not an approval: Claude Code asks, and Codex refuses where it would have asked", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("safe", rewriting());
  const claude = await sandbox.send(BASH);
  expect(answerOf(claude.stdout)).toMatchObject({
    permissionDecision: "ask",
    updatedInput: { command: "echo safe", description: "forbidden" },
  });
  const codex = await sandbox.send("codex/PreToolUse.Bash", { permission_mode: "default" });
  expect(codex).toMatchObject({ exit: 2, stderr: expect.stringContaining("can_approve") });
  const bypassing = await sandbox.send("codex/PreToolUse.Bash", { tool_use_id: "2" });
  expect(answerOf(bypassing.stdout)).toMatchObject({
    permissionDecision: "allow",
    updatedInput: { command: "echo safe" },
  });
});

test("a hook with can_approve approves what it rewrote, and no other hook does", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("safe", rewriting(["metadata: { can_approve: true }"]));
  expect(answerOf((await sandbox.send(BASH)).stdout)).toMatchObject({ permissionDecision: "allow" });
  sandbox.hook("more", {
    fields: ["priority: 50"],
    script: `echo '{"modified_input":{"command":"echo safer"}}'`,
  });
  const both = await sandbox.send(BASH, { tool_use_id: "2" });
  expect(answerOf(both.stdout)).toMatchObject({
    permissionDecision: "ask",
    updatedInput: { command: "echo safer" },
  });
});

test("a hook that allows is no approval", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("fine", { script: `echo '{"decision":"allow","reason":"fine"}'` });
  expect(await sandbox.send(BASH)).toEqual({ stdout: "", stderr: "", exit: 0 });
});

test("a hook that asks is a question in Claude Code and a refusal in Codex", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("unsure", { script: `echo '{"decision":"ask","reason":"sure?"}'` });
  expect(answerOf((await sandbox.send(BASH)).stdout)).toMatchObject({
    permissionDecision: "ask",
    permissionDecisionReason: "sure?",
  });
  expect(await sandbox.send("codex/PreToolUse.Bash")).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(
      /^sure\? \(a person must decide, and Codex CLI cannot ask here\)\. A person can allow/,
    ),
  });
});

test("a rule with action: ask is a question in Claude Code and a refusal in Codex, without a script", async () => {
  const sandbox = new BridgeSandbox();
  const matcher = "matcher: [{ tool: WriteFile }, { tool: Shell, pattern: echo }]";
  sandbox.hook("rule", { fields: [matcher, "action: ask", "reason: sure?"] });
  // The second call finds a stored plan.
  for (const id of ["1", "2"]) {
    const call = { tool_use_id: id, tool_input: { command: "echo x" } };
    expect(answerOf((await sandbox.send(BASH, call)).stdout)).toMatchObject({
      permissionDecision: "ask",
      permissionDecisionReason: "sure?",
    });
    expect(await sandbox.send("codex/PreToolUse.Bash", call)).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(
        /^sure\? \(a person must decide, and Codex CLI cannot ask here\)\. A person can/,
      ),
    });
    const other = { tool_use_id: `other ${id}`, tool_input: { command: "ls" } };
    expect(await sandbox.send(BASH, other)).toEqual({ stdout: "", stderr: "", exit: 0 });
  }
  expect(sandbox.log[0]).toMatchObject({ reported: "ask", tool_name: "Shell" });
});

test("of a rule that asks and one that blocks the block counts, whichever comes first", async () => {
  for (const priority of [200, 50]) {
    const sandbox = new BridgeSandbox();
    sandbox.hook("ask", { fields: ["action: ask", "reason: sure?"] });
    sandbox.hook("block", { fields: ["action: block", "reason: never", `priority: ${priority}`] });
    expect(await sandbox.send(BASH)).toMatchObject({ exit: 2, stderr: "never\n" });
  }
});

test("what a hook prints never reaches the client", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("chatty", { script: `echo 'some words {"permissionDecision":"allow"}'; echo more >&2` });
  expect(await sandbox.send(BASH)).toEqual({ stdout: "", stderr: "", exit: 0 });
});

test("context that Gemini CLI does not take before a tool reaches the model after it", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("tip", { script: `echo '{"additional_context":"use make"}'` });
  expect((await sandbox.send("gemini/BeforeTool.run_shell_command")).stdout).toBe("");
  const after = await sandbox.send("gemini/AfterTool.run_shell_command");
  expect(answerOf(after.stdout)).toEqual({ hookEventName: "AfterTool", additionalContext: "use make" });
  expect((await sandbox.send("gemini/AfterTool.run_shell_command")).stdout).toBe("");
});

test("a session that is refused as it starts has its prompts and tools refused", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("closed", { trigger: "session_start", fields: ["action: block", "reason: not today"] });
  await sandbox.send("claude/SessionStart");
  expect(await sandbox.send("claude/UserPromptSubmit")).toMatchObject({ exit: 2, stderr: "not today\n" });
  expect(await sandbox.send(BASH)).toMatchObject({ exit: 2, stderr: "not today\n" });
  expect(sandbox.log.map(({ reported }) => reported)).toEqual(["nothing", "block", "block"]);
  expect(await sandbox.send(BASH, { session_id: "another" })).toMatchObject({ exit: 0 });
});

test("stop refuses what follows until the person sends a prompt", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("enough", {
    fields: ["matcher: { pattern: FORBIDDEN }"],
    script: `echo '{"decision":"stop","reason":"enough"}'`,
  });
  const harmless = { tool_input: { command: "ls" }, tool_use_id: "2" };
  expect(await sandbox.send(BASH)).toMatchObject({ exit: 2 });
  expect(await sandbox.send(BASH, harmless)).toMatchObject({ exit: 2, stderr: "enough\n" });
  await sandbox.send("claude/UserPromptSubmit");
  expect(await sandbox.send(BASH, { ...harmless, tool_use_id: "3" })).toMatchObject({ exit: 0 });
});

test("a stop gate keeps the agent running three times, passes the count to the hook, and then lets the agent stop with a note", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("gate", {
    trigger: "before_stop",
    script: `grep -o '"stop_hook_active": [a-z]*' | head -1 >> "${sandbox.root}/flags"; echo tests fail >&2; exit 2`,
  });
  // The flag of the client says otherwise, as that of an old Qwen Code did.
  const stop = () => sandbox.send("qwen-quirks/Stop.first-says-active");
  const exits = [await stop(), await stop(), await stop(), await stop(), await stop()].map(
    ({ exit }) => exit,
  );
  expect(exits).toEqual([2, 2, 2, 0, 2]);
  const flags = readFileSync(join(sandbox.root, "flags"), "utf8").match(/true|false/g);
  expect(flags).toEqual(["false", "true", "true", "true", "false"]);
  expect(sandbox.log.flatMap(({ notes = [] }) => notes).join()).toContain("without satisfying its gate");
});

test("a new prompt begins a new count of the stop gate", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("gate", { trigger: "before_stop", script: "echo more >&2; exit 2" });
  for (let round = 0; round < 2; round++) {
    await sandbox.send("claude/UserPromptSubmit");
    for (let time = 0; time < 3; time++) expect(await sandbox.send("claude/Stop")).toMatchObject({ exit: 2 });
  }
});

test("a count that an earlier version stored in the session is not read, and a stop gate stays limited", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("gate", { trigger: "before_stop", script: "echo more >&2; exit 2" });
  await sandbox.send("claude/UserPromptSubmit");
  const sessions = join(sandbox.state, "bridge", "sessions");
  const [session = ""] = readdirSync(sessions).filter((name) => name.startsWith("claude"));
  for (const nth of ["1", "2", "3"]) sandbox.write(join(sessions, session, "holds-before_stop", nth), "");
  const exits: number[] = [];
  for (let time = 0; time < 4; time++) exits.push((await sandbox.send("claude/Stop")).exit);
  expect(exits).toEqual([2, 2, 2, 0]);
});

test("the feedback that keeps Gemini CLI running comes back as a prompt, and begins no turn", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("gate", { trigger: "before_stop", script: "echo more >&2; exit 2" });
  sandbox.hook("prompts", { trigger: "before_agent", script: `echo x >> "${sandbox.root}/prompts"` });
  const exits: number[] = [];
  await sandbox.send("gemini/BeforeAgent");
  for (let time = 0; time < 4; time++) {
    exits.push((await sandbox.send("gemini/AfterAgent")).exit);
    if (exits.at(-1) === 2) await sandbox.send("gemini/BeforeAgent", { prompt: "more" });
  }
  expect(exits).toEqual([2, 2, 2, 0]);
  expect(readFileSync(join(sandbox.root, "prompts"), "utf8")).toBe("x\n");
});

test("turns of Qwen Code that only hand back results are no prompts", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("no", { trigger: "before_agent", fields: ["action: block", "reason: no"] });
  expect(await sandbox.send("qwen-quirks/UserPromptSubmit.tool-result")).toMatchObject({ exit: 0 });
  expect(await sandbox.send("qwen/UserPromptSubmit")).toMatchObject({ exit: 2 });
});

test("compressions that Gemini CLI only considers are no compactions", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("seen", { trigger: "pre_compact", script: `echo x >> "${sandbox.root}/seen"` });
  await sandbox.send("gemini/PreCompress");
  expect(existsSync(join(sandbox.root, "seen"))).toBe(false);
  await sandbox.send("gemini-quirks/PreCompress.manual");
  expect(readFileSync(join(sandbox.root, "seen"), "utf8")).toBe("x\n");
});

test("hooks of the project that a session began in are enforced after a change of folder", async () => {
  const sandbox = new BridgeSandbox();
  const other = join(sandbox.root, "other");
  mkdirSync(other);
  sandbox.trust(
    sandbox.hook("guard", { project: sandbox.project, fields: ["action: block", "reason: ours"] }),
  );
  await sandbox.send("claude/SessionStart");
  expect(await sandbox.send(BASH, { cwd: other })).toMatchObject({ exit: 2, stderr: "ours\n" });
  expect(await sandbox.send(BASH, { cwd: other, session_id: "new", tool_use_id: "2" })).toMatchObject({
    exit: 0,
  });
});

test("hooks of the folder that a session moved to count too", async () => {
  const sandbox = new BridgeSandbox();
  const other = join(sandbox.root, "other");
  sandbox.trust(sandbox.hook("there", { project: other, fields: ["action: block", "reason: theirs"] }));
  await sandbox.send("claude/SessionStart");
  expect(await sandbox.send(BASH, { cwd: other })).toMatchObject({ exit: 2, stderr: "theirs\n" });
});

test.each([
  ["kimi/PreToolUse.Bash", "cwd"],
  ["qwen/PreToolUse.run_shell_command", "directory"],
  ["gemini/BeforeTool.run_shell_command", "dir_path"],
  ["opencode/PreToolUse.bash", "workdir"],
])(
  "%s: a folder that the call names in %s leaves the session's hooks in force, and reaches them",
  async (name, argument) => {
    const sandbox = new BridgeSandbox();
    const folder = sandbox.hook("ours", {
      project: sandbox.project,
      script: `cat > "${sandbox.root}/seen"; echo no >&2; exit 2`,
    });
    sandbox.trust(folder);
    const { stderr } = await sandbox.send(name, { tool_input: { command: "ls", [argument]: "/elsewhere" } });
    expect(stderr).toBe("no\n");
    expect(JSON.parse(readFileSync(join(sandbox.root, "seen"), "utf8"))).toMatchObject({
      work_dir: sandbox.project,
      tool_input: { command: "ls", [argument]: "/elsewhere" },
    });
  },
);

test("a hook of the user runs once although two folders count", async () => {
  const sandbox = new BridgeSandbox();
  const other = join(sandbox.root, "other");
  mkdirSync(other);
  sandbox.hook("seen", { script: `echo x >> "${sandbox.root}/seen"` });
  await sandbox.send("claude/SessionStart");
  await sandbox.send(BASH, { cwd: other });
  expect(readFileSync(join(sandbox.root, "seen"), "utf8")).toBe("x\n");
});

test("an untrusted hook is not run, which is reported once per session", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("theirs", { project: sandbox.project, script: `echo x >> "${sandbox.root}/seen"; exit 2` });
  const first = await sandbox.send(BASH);
  expect(JSON.parse(first.stdout).systemMessage).toContain("tenterhook trust");
  expect(await sandbox.send(BASH, { tool_use_id: "2" })).toEqual({ stdout: "", stderr: "", exit: 0 });
  expect(existsSync(join(sandbox.root, "seen"))).toBe(false);
});

test("a hook whose file is broken is named once in every session", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("broken", { fields: ["timeout: soon"] });
  for (const session_id of ["one", "two"]) {
    expect(JSON.parse((await sandbox.send(BASH, { session_id })).stdout).systemMessage).toContain("timeout");
    expect((await sandbox.send(BASH, { session_id, tool_use_id: "2" })).stdout).toBe("");
  }
});

test("a trusted guard that was edited refuses", async () => {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("guard", { project: sandbox.project, script: "exit 0" });
  sandbox.trust(folder);
  expect(await sandbox.send(BASH)).toMatchObject({ exit: 0 });
  writeFileSync(join(folder, "scripts", "run.sh"), "#!/bin/sh\nexit 0 # changed\n");
  expect(await sandbox.send(BASH, { tool_use_id: "2" })).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("changed"),
  });
});

test("a trusted guard whose folder is gone refuses", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.trust(sandbox.hook("guard", { project: sandbox.project, script: "exit 0" }));
  await sandbox.send(BASH);
  rmSync(join(sandbox.project, ".agents"), { recursive: true });
  expect(await sandbox.send(BASH, { tool_use_id: "2" })).toMatchObject({ exit: 2 });
});

test("in a worktree of a trusted repository the same hooks are trusted, and others are not", async () => {
  const sandbox = new BridgeSandbox();
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: sandbox.project,
    });
  const guard = sandbox.hook("guard", { project: sandbox.project, script: "echo ours >&2; exit 2" });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  sandbox.trust(guard);
  const worktree = join(sandbox.root, "worktree");
  git("worktree", "add", "-q", worktree);
  const there = { cwd: worktree, session_id: "in the worktree" };
  expect(await sandbox.send(BASH, there)).toMatchObject({ exit: 2, stderr: "ours\n" });
  sandbox.write(
    join(worktree, ".agents", "hooks", "guard", "scripts", "run.sh"),
    "#!/bin/sh\nexit 2 # other\n",
    0o755,
  );
  const changed = await sandbox.send(BASH, { ...there, tool_use_id: "2" });
  expect(changed.exit).toBe(0);
  expect(JSON.parse(changed.stdout).systemMessage).toContain("not trusted");
});

test("a folder that only claims to be a worktree has no trusted hooks", async () => {
  const sandbox = new BridgeSandbox();
  const script = "echo ours >&2; exit 2";
  sandbox.trust(sandbox.hook("guard", { project: sandbox.project, script }));
  const other = join(sandbox.root, "other");
  sandbox.hook("guard", { project: other, script });
  sandbox.write(join(other, ".git"), `gitdir: ${sandbox.project}/.git/worktrees/other\n`);
  expect(await sandbox.send(BASH, { cwd: other, session_id: "there" })).toMatchObject({ exit: 0 });
});

test("a session whose id is a number keeps the folder that it began in", async () => {
  const sandbox = new BridgeSandbox();
  const guard = { project: sandbox.project, fields: ["action: block", "reason: no"] };
  sandbox.trust(sandbox.hook("guard", guard));
  const codex = "codex/PreToolUse.Bash";
  await sandbox.send("codex/SessionStart", { session_id: 7 });
  expect(await sandbox.send(codex, { session_id: 7, cwd: "/" })).toMatchObject({ exit: 2, stderr: "no\n" });
  expect(await sandbox.send(codex, { session_id: 8, cwd: "/" })).toMatchObject({ exit: 0 });
});

test("a refusal that nothing can follow, because the client names no session, is reported as that", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("closed", { trigger: "session_start", fields: ["action: block", "reason: closed"] });
  const { stderr } = await sandbox.send("kimi/SessionStart", { session_id: null });
  expect(stderr).toContain("Kimi Code named no session, so what follows is not refused: closed");
  expect(sandbox.log.at(-1)?.notes?.join()).toContain("so what follows is not refused");
});

test("a call that two entries deliver is checked once, and two like calls twice", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("seen", { script: `echo x >> "${sandbox.root}/seen"` });
  const seen = () => readFileSync(join(sandbox.root, "seen"), "utf8").length / 2;
  await sandbox.send(BASH, {}, { entry: "user" });
  await sandbox.send(BASH, {}, { entry: "project" });
  expect(seen()).toBe(1);
  // Gemini CLI sends no id of the call.
  const gemini = "gemini/BeforeTool.run_shell_command";
  for (let call = 0; call < 2; call++) {
    await sandbox.send(gemini, {}, { entry: "user" });
    await sandbox.send(gemini, {}, { entry: "project" });
  }
  expect(seen()).toBe(3);
});

test("a call that another entry delivered long ago is not taken for this one", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { fields: ["action: block", "reason: no"] });
  const droid = "droid/PreToolUse.Execute";
  for (let call = 0; call < 2; call++)
    expect(await sandbox.send(droid, {}, { entry: "user" })).toMatchObject({ exit: 2 });
  // The entry of the user is removed, and one of the project is installed.
  const sessions = join(sandbox.state, "bridge", "sessions");
  const hourAgo = Date.now() / 1_000 - 3_600;
  for (const name of readdirSync(sessions, { recursive: true, encoding: "utf8" }))
    utimesSync(join(sessions, name), hourAgo, hourAgo);
  expect(await sandbox.send(droid, {}, { entry: "project" })).toMatchObject({ exit: 2 });
});

test("a second call with the id of the first is checked too", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { fields: ["matcher: { pattern: rm }", "action: block", "reason: no"] });
  const call = { tool_use_id: "call_0", tool_call_id: "call_0" };
  const qwen = "qwen/PreToolUse.run_shell_command";
  expect(await sandbox.send(qwen, { ...call, tool_input: { command: "ls" } })).toMatchObject({ exit: 0 });
  for (let round = 0; round < 2; round++)
    expect(await sandbox.send(qwen, { ...call, tool_input: { command: "rm x" } })).toMatchObject({ exit: 2 });
});

test("Copilot that reads Claude's settings is answered in its own words, and once", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("no", { fields: ["action: block", "reason: no"] });
  const env = {
    COPILOT_HOOK_DIR: "/x",
    COPILOT_CLI: "1",
    CLAUDECODE: "1",
    CLAUDE_CODE_SESSION_ID: "an outer one",
  };
  const viaClaude = await sandbox.send("copilot-pascal/PreToolUse.Bash", {}, { client: "claude", env });
  expect(JSON.parse(viaClaude.stdout)).toEqual({
    permissionDecision: "deny",
    permissionDecisionReason: "no",
  });
  const own = await sandbox.send("copilot-pascal/PreToolUse.Bash", {}, { env });
  expect(own).toEqual({ stdout: "", stderr: "", exit: 0 });
});

test("a payload that is no JSON is answered by the hooks' on_error", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("lax", { script: "exit 2" });
  const lax = await sandbox.send(BASH, {}, { stdin: "{" });
  expect(lax.exit).toBe(0);
  expect(JSON.parse(lax.stdout).systemMessage).toContain("no JSON");
  sandbox.hook("strict", { fields: ["on_error: block"], script: "exit 0" });
  const blocked = await sandbox.send(BASH, {}, { stdin: "{" });
  expect(blocked).toMatchObject({ exit: 2, stderr: expect.stringContaining("strict") });
  expect(answerOf(blocked.stdout).permissionDecision).toBe("deny");
});

test.each(["on_error: block", "on_error: continue"])(
  "a call that is nested too deep to be checked is refused where a hook has %s",
  async (onError) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("guard", {
      fields: [onError, "matcher: { tool: Bash|Shell, pattern: rm }"],
      script: "exit 0",
    });
    await sandbox.send(BASH);
    const payload = JSON.stringify(
      sandbox.payload(BASH, { tool_use_id: "2", tool_input: { command: "DEEP" } }),
    );
    const stdin = payload.replace('"DEEP"', `${"[".repeat(5_000)}${"]".repeat(5_000)}`);
    const answer = await sandbox.send(BASH, {}, { stdin });
    expect(answer).toMatchObject({ exit: 2, stderr: expect.stringMatching(/deeper|levels/) });
  },
);

test.each([
  ["on_error: block", 2],
  ["on_error: continue", 0],
])("a hook with %s that does not answer in the client's time ends with %i", async (onError, exit) => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("slow", { fields: [onError], script: "exec sleep 60" });
  const begun = performance.now();
  const answer = await sandbox.send(BASH, {}, { timeoutMs: 1_000 });
  expect(answer.exit).toBe(exit);
  expect(performance.now() - begun).toBeLessThan(20_000);
});

test("the guards that must block are recorded for the script that answers when the bridge is missing", async () => {
  const sandbox = new BridgeSandbox();
  const strict = { event: "before_tool", project: "*", name: "strict" };
  const folder = sandbox.hook("strict", { fields: ["on_error: block"], script: "exit 0" });
  sandbox.hook("lax", { script: "exit 0" });
  await sandbox.send(BASH);
  expect(readGuards(sandbox.state)).toEqual([strict]);
  sandbox.hook("strict", { fields: ["on_error: continue"], script: "exit 0" });
  await sandbox.send(BASH, { tool_use_id: "2" });
  expect(readGuards(sandbox.state)).toEqual([]);
  sandbox.hook("strict", { fields: ["on_error: block"], script: "exit 0" });
  await sandbox.send(BASH, { tool_use_id: "3" });
  rmSync(folder, { recursive: true });
  await sandbox.send(BASH, { tool_use_id: "4" });
  expect(readGuards(sandbox.state)).toEqual([strict]);
});

test("a background hook runs in a process of its own, which gets the outcome", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("no", { fields: ["action: block", "reason: no"] });
  sandbox.hook("audit", { fields: ["async: true", "always: true"], script: `cat > "${sandbox.root}/told"` });
  sandbox.hook("quiet", { fields: ["async: true"], script: `cat > "${sandbox.root}/quiet"` });
  await sandbox.send(BASH);
  expect(existsSync(join(sandbox.root, "told"))).toBe(false);
  expect(sandbox.jobs).toHaveLength(1);
  await runJob(sandbox.jobs[0] ?? "", { PATH: process.env.PATH, HOME: sandbox.home });
  expect(JSON.parse(readFileSync(join(sandbox.root, "told"), "utf8"))).toMatchObject({
    outcome: "block",
    reason: "no",
  });
  expect(existsSync(join(sandbox.root, "quiet"))).toBe(false);
  expect(existsSync(sandbox.jobs[0] ?? "")).toBe(false);
  expect(sandbox.log.at(-1)?.entries).toMatchObject([{ hook: "audit" }]);
});

test("a job counts until its hooks have ended, and one too many is not run, which the log says", async () => {
  const sandbox = new BridgeSandbox();
  const jobs = join(sandbox.state, "bridge", "jobs");
  sandbox.hook("slow", { fields: ["async: true"], script: `ls "${jobs}" > "${sandbox.root}/running"` });
  for (let call = 0; call < 64; call++) await sandbox.send(BASH, { tool_use_id: `call ${call}` });
  expect(sandbox.jobs).toHaveLength(64);
  await runJob(sandbox.jobs[0] ?? "", { PATH: process.env.PATH, HOME: sandbox.home });
  expect(readFileSync(join(sandbox.root, "running"), "utf8").trim().split("\n")).toHaveLength(64);
  await sandbox.send(BASH, { tool_use_id: "in the place of the first" });
  expect(await sandbox.send(BASH, { tool_use_id: "one too many" })).toMatchObject({ exit: 0 });
  expect(sandbox.jobs).toHaveLength(65);
  expect(sandbox.log.at(-1)?.notes?.join()).toContain("background hooks were not run: 64 others run");
  // Those of processes that were killed do not count for ever.
  const hourAgo = Date.now() / 1_000 - 3_600;
  for (const name of readdirSync(jobs)) utimesSync(join(jobs, name), hourAgo, hourAgo);
  await sandbox.send(BASH, { tool_use_id: "later" });
  expect(sandbox.jobs).toHaveLength(66);
});

test("a refused tool is followed by its failure, for the hooks that watch for that", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("no", { fields: ["action: block", "reason: no"] });
  sandbox.hook("watch", { trigger: "after_tool_failure", script: `cat > "${sandbox.root}/failed"` });
  await sandbox.send(BASH);
  await runJob(sandbox.jobs[0] ?? "", { PATH: process.env.PATH, HOME: sandbox.home });
  expect(JSON.parse(readFileSync(join(sandbox.root, "failed"), "utf8"))).toMatchObject({
    event_type: "after_tool_failure",
    status: "blocked",
    error: { message: "no" },
  });
});

test("the delegation of a task is refused and rewritten as the call that starts it", async () => {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("tasks", {
    trigger: "subagent_start",
    fields: ["metadata: { can_approve: true }"],
    script: `echo '{"modified_input":"look here only"}'`,
  });
  const agent = "claude-quirks/PreToolUse.Agent";
  expect(answerOf((await sandbox.send(agent)).stdout)).toMatchObject({
    updatedInput: { prompt: "look here only" },
  });
  rmSync(folder, { recursive: true });
  sandbox.hook("none", { trigger: "subagent_start", fields: ["action: block", "reason: alone"] });
  expect(await sandbox.send(agent, { tool_use_id: "2" })).toMatchObject({ exit: 2, stderr: "alone\n" });
});

test("what was decided is written down without secrets", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("no", { fields: ["action: block", "reason: no"] });
  const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
  await sandbox.send(BASH, {
    tool_input: { command: `curl -H "Authorization: ${token}" https://example.com` },
  });
  expect(sandbox.log).toMatchObject([
    {
      event: "before_tool",
      client: "claude",
      native_event: "PreToolUse",
      tool_name: "Shell",
      outcome: "block",
      decided_by: "no",
      reason: "no",
      reported: "block",
    },
  ]);
  expect(JSON.stringify(sandbox.log)).not.toContain(token);
});

test("an unknown client is an error that names it", async () => {
  const sandbox = new BridgeSandbox();
  await expect(sandbox.send(BASH, {}, { client: "unlisted" })).rejects.toThrow('unknown client "unlisted"');
});

const DENIED = { behavior: "deny", message: "not even on request" };

test.each([
  ["claude/PermissionRequest.Write", "WriteFile", { hookSpecificOutput: { decision: DENIED } }],
  ["codex-quirks/PermissionRequest.Bash", "Shell", { hookSpecificOutput: { decision: DENIED } }],
  ["qwen-quirks/PermissionRequest.run_shell_command", "Shell", { hookSpecificOutput: { decision: DENIED } }],
  ["copilot/permissionRequest.bash", "Shell", DENIED],
  ["opencode-quirks/PermissionRequest.bash", "Shell", { block: DENIED.message }],
])(
  "%s: a hook refuses before the person is asked, and otherwise does not answer for them",
  async (name, tool, answer) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("never", {
      trigger: "permission_request",
      fields: [`matcher: { tool: ${tool} }`, "action: block", "reason: not even on request"],
    });
    const refused = await sandbox.send(name);
    expect(refused.stderr).toBe("not even on request\n");
    expect(JSON.parse(refused.stdout)).toMatchObject(answer);
    const other = new BridgeSandbox();
    other.hook("seen", { trigger: "permission_request", script: `echo x >> "${other.root}/seen"` });
    // The plugin of OpenCode takes no output for a failure.
    const stdout = name.startsWith("opencode") ? "{}\n" : "";
    expect(await other.send(name)).toEqual({ stdout, stderr: "", exit: 0 });
    expect(readFileSync(join(other.root, "seen"), "utf8")).toBe("x\n");
  },
);

test.each([
  ["claude-quirks/Notification", "permission_prompt"],
  ["qwen-quirks/Notification", "idle_prompt"],
  ["droid-quirks/Notification", undefined],
  ["gemini-quirks/Notification", "ToolPermission"],
  ["kimi-quirks/Notification", "task.completed"],
  ["copilot-quirks/notification", "idle"],
])("%s reaches the hooks that watch for it", async (name, type) => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("seen", { trigger: "notification", script: `cat > "${sandbox.root}/seen"` });
  expect(await sandbox.send(name)).toEqual({ stdout: "", stderr: "", exit: 0 });
  const seen = JSON.parse(readFileSync(join(sandbox.root, "seen"), "utf8"));
  expect(seen).toMatchObject({ event_type: "notification", message: expect.stringMatching(/./) });
  expect(seen.notification_type).toBe(type);
});

test.each(["kimi-quirks/Interrupt", "cline-quirks/agent_abort"])(
  "%s ends a turn as stopped",
  async (name) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("seen", { trigger: "after_agent", script: `cat > "${sandbox.root}/seen"` });
    await sandbox.send(name);
    expect(JSON.parse(readFileSync(join(sandbox.root, "seen"), "utf8"))).toMatchObject({ status: "stopped" });
  },
);

test("what Kimi Code reports as a failure after we refused it has the status of a refusal", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("no", { fields: ["matcher: { pattern: FORBIDDEN }", "action: block", "reason: no"] });
  sandbox.hook("seen", {
    trigger: "after_tool_failure",
    script: `cat >> "${sandbox.root}/seen"; echo >> "${sandbox.root}/seen"`,
  });
  const session = { session_id: "one" };
  const call = { ...session, tool_input: { command: "touch FORBIDDEN" }, tool_call_id: "call_9" };
  await sandbox.send("kimi/PreToolUse.Bash", call);
  await sandbox.send("kimi/PostToolUseFailure.Bash", call);
  await sandbox.send("kimi/PostToolUseFailure.Bash", { ...session, tool_call_id: "another" });
  const seen = readFileSync(join(sandbox.root, "seen"), "utf8").matchAll(/"status": ?"(\w+)"/g);
  expect([...seen].map(([, status]) => status)).toEqual(["blocked", "failed"]);
});

test("a stop that two entries deliver keeps the agent running once", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("gate", { trigger: "before_stop", script: "echo more >&2; exit 2" });
  const exits: number[] = [];
  for (let round = 0; round < 4; round++)
    for (const entry of ["user", "project"])
      exits.push((await sandbox.send("claude/Stop", {}, { entry })).exit);
  expect(exits).toEqual([2, 0, 2, 0, 2, 0, 0, 0]);
});

test("the end of a session is left to a process that the client does not take along", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("last", { trigger: "session_end", script: `cat > "${sandbox.root}/last"` });
  expect(await sandbox.send("codex/SessionEnd")).toEqual({ stdout: "", stderr: "", exit: 0 });
  expect(existsSync(join(sandbox.root, "last"))).toBe(false);
  await runJob(sandbox.jobs[0] ?? "", { PATH: process.env.PATH, HOME: sandbox.home });
  expect(JSON.parse(readFileSync(join(sandbox.root, "last"), "utf8"))).toMatchObject({
    event_type: "session_end",
  });
});

test("a working folder deeper than a system allows takes no time, and is refused whatever the guard's on_error", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { fields: ["on_error: continue"], script: "exit 0" });
  const answer = await sandbox.send(BASH, { cwd: "/a".repeat(5_000) });
  expect(answer).toMatchObject({ exit: 2, stderr: expect.stringContaining("too long a path") });
});
