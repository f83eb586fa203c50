import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { BridgeSession } from "../session/bridge-session.ts";
import { BridgeSandbox } from "../testing/bridge-sandbox.ts";

const BASH = "claude/PreToolUse.Bash";
const REFUSES = { script: "echo no >&2; exit 2" };

/** A sandbox whose state folder is a file: nothing can be kept from one process to the next. */
function withoutState(): BridgeSandbox {
  const sandbox = new BridgeSandbox();
  sandbox.write(sandbox.state, "");
  return sandbox;
}

test("a hook that ends the run refuses the call although nothing can be kept", async () => {
  const sandbox = withoutState();
  sandbox.hook("halt", { script: `echo '{"decision":"stop","reason":"halt"}'` });
  expect(await sandbox.send(BASH)).toMatchObject({ exit: 2, stderr: "halt\n" });
});

test("a prompt is refused although nothing can be kept", async () => {
  const sandbox = withoutState();
  sandbox.hook("prompts", { trigger: "before_agent", ...REFUSES });
  expect(await sandbox.send("claude/UserPromptSubmit")).toMatchObject({ exit: 2, stderr: "no\n" });
});

test("where stops cannot be counted, the agent is kept running once by its client's own flag, and then let go with a note", async () => {
  const sandbox = withoutState();
  sandbox.hook("gate", { trigger: "before_stop", ...REFUSES });
  const first = await sandbox.send("claude/Stop", { stop_hook_active: false });
  expect(first).toMatchObject({ exit: 2, stderr: "no\n" });
  const second = await sandbox.send("claude/Stop", { stop_hook_active: true });
  expect(second.exit).toBe(0);
  expect(JSON.parse(second.stdout).systemMessage).toContain("cannot be counted");
});

test("context that cannot be kept for later does not undo the refusal beside it", async () => {
  const sandbox = withoutState();
  sandbox.hook("adds", { fields: ["priority: 900"], script: `echo '{"additional_context":"more"}'` });
  sandbox.hook("refuses", REFUSES);
  expect(await sandbox.send("gemini/BeforeTool.run_shell_command")).toMatchObject({
    exit: 2,
    stderr: "no\n",
  });
});

/** A sandbox that knows its trusted hooks, and cannot store where a session began; and a folder outside its project. */
function withoutSessions(fields: readonly string[]) {
  const sandbox = new BridgeSandbox();
  const hook = sandbox.hook("guard", {
    project: sandbox.project,
    fields: ["reason: no", "action: block", ...fields],
  });
  sandbox.trust(hook);
  sandbox.write(join(sandbox.state, "bridge", "sessions"), "");
  const elsewhere = join(sandbox.root, "elsewhere");
  mkdirSync(elsewhere);
  return { sandbox, elsewhere };
}

const CODEX_BASH = "codex/PreToolUse.Bash";

test("where the start of a session cannot be stored, a guard with on_error: block refuses after a change of folder", async () => {
  const { sandbox, elsewhere } = withoutSessions(["on_error: block", "matcher: { tool: Shell }"]);
  const answer = await sandbox.send(CODEX_BASH, { cwd: elsewhere });
  expect(answer.exit).toBe(2);
  expect(answer.stderr).toMatch(/tenterhook cannot be written to, so the project .* is not known/);
  expect(answer.stderr).toMatch(/tenterhook doctor.*guard of \S+project must not be passed over/);
  // A call that the guard does not match is not its business.
  expect(await sandbox.send("codex/PreToolUse.apply_patch", { cwd: elsewhere })).toMatchObject({
    exit: 0,
    stderr: "",
  });
});

test("where the start of a session cannot be stored, every call that another project's hook matches has a note", async () => {
  const { sandbox, elsewhere } = withoutSessions(["on_error: continue"]);
  for (const id of ["1", "2"]) {
    const answer = await sandbox.send(CODEX_BASH, { cwd: elsewhere, tool_use_id: id });
    const note = expect.stringMatching(/cannot be written to.*guard of \S+project.*tenterhook doctor/);
    expect(answer).toMatchObject({ exit: 0, stderr: note });
    expect(JSON.parse(answer.stdout)).toEqual({ systemMessage: note });
  }
  expect(sandbox.log.map(({ notes }) => notes)).toEqual([
    [expect.stringContaining("guard of")],
    [expect.stringContaining("guard of")],
  ]);
});

test("where the start of a session cannot be stored, nothing is lost while the project is known", async () => {
  const { sandbox, elsewhere } = withoutSessions(["on_error: block"]);
  // In the project itself, and where the client names it.
  expect(await sandbox.send(CODEX_BASH)).toMatchObject({ exit: 2, stderr: "no\n" });
  const env = { CLAUDE_PROJECT_DIR: sandbox.project };
  expect(await sandbox.send(BASH, { cwd: elsewhere }, { env })).toMatchObject({ exit: 2, stderr: "no\n" });
  rmSync(sandbox.project, { recursive: true });
  expect(await sandbox.send(CODEX_BASH, { cwd: elsewhere })).toEqual({ exit: 0, stdout: "", stderr: "" });
});

test.each(["null", "[null]", '[{"path":"/nonexistent"}]', '[{"path":5,"texts":5}]', "{"])(
  "a list of entries that says %s undoes no refusal",
  async (text) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("refuses", REFUSES);
    sandbox.write(join(sandbox.state, "bridge", "entries", "claude.json"), text);
    expect(await sandbox.send(BASH)).toMatchObject({ exit: 2, stderr: "no\n" });
  },
);

test("a file in the place of a session's folder, or of one in it, lets nothing pass and hides no notice", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("refuses", REFUSES);
  const sessions = join(sandbox.state, "bridge", "sessions");
  sandbox.write(join(sessions, "claude-one"), "");
  expect(await sandbox.send(BASH, { session_id: "one" })).toMatchObject({ exit: 2 });
  expect(new BridgeSession(sandbox.state, "claude", "one", "/").isNewNotice("look")).toBe(true);
  sandbox.write(join(sessions, "claude-two", "claims"), "");
  sandbox.write(join(sessions, "claude-two", "notices"), "");
  expect(await sandbox.send(BASH, { session_id: "two" })).toMatchObject({ exit: 2 });
  expect(new BridgeSession(sandbox.state, "claude", "two", "/").isNewNotice("look")).toBe(true);
});

test.each([
  [
    "another's hashed name",
    (name: (id: string) => string) => ["a/b", name("a/b").replace(/^claude[-.]/, "")],
  ],
  ["the folder of a call without a session", () => ["", "in /work"]],
  ["a name that differs in its case only", () => ["abc", "aBc"]],
  ["half of another character", () => ["\ud800", "\ud801"]],
  ["the way out of the folder", () => ["../x", "..-x"]],
  ["a character that ends a path", () => ["a\0b", "a"]],
] as const)("two sessions never share a folder: %s", (_, idsOf) => {
  const { state } = new BridgeSandbox();
  const folders = (id: string) => {
    rmSync(state, { recursive: true, force: true });
    new BridgeSession(state, "claude", id, "/work").isNewNotice("here");
    return readdirSync(join(state, "bridge", "sessions"));
  };
  const [one = "", other = ""] = idsOf((id) => folders(id)[0] ?? "");
  // As a file system sees them that does not distinguish upper and lower case.
  const seen = [folders(one), folders(other)].map((names) => names.map((name) => name.toLowerCase()));
  expect(seen[0]).toHaveLength(1);
  expect(seen[1]).toHaveLength(1);
  expect(seen[0]).not.toEqual(seen[1]);
});

test.each([
  "../../../../x",
  "a/../../b",
  "/etc/x",
  "a\0b",
  "x".repeat(10_240),
  "żółć 😀",
  ".",
  "..",
  "__proto__",
])("a session %j stays in the state folder, and its calls are checked", async (id) => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("refuses", REFUSES);
  const around = () => readdirSync(sandbox.root, { recursive: true }).map(String).sort();
  const before = around();
  expect(await sandbox.send(BASH, { session_id: id })).toMatchObject({ exit: 2, stderr: "no\n" });
  const made = around().filter((path) => !before.includes(path));
  expect(made.filter((path) => !/^home\/\.(?:local|cache)(?:\/|$)/.test(path))).toEqual([]);
});

test.each([5, true, null, {}, ["s1"], ""])("a session id that is %j disarms nothing", async (id) => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("refuses", REFUSES);
  expect(await sandbox.send(BASH, { session_id: id })).toMatchObject({ exit: 2, stderr: "no\n" });
});

test("the folders of a session that were only half written are written again", async () => {
  const sandbox = new BridgeSandbox();
  const file = join(sandbox.state, "bridge", "sessions", "claude-s1", "folders.json");
  const session = () => new BridgeSession(sandbox.state, "claude", "s1", "/");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  expect(session().startedIn(["/first"])).toEqual(["/first"]);
  expect(session().startedIn(["/second"])).toEqual(["/first"]);
});

test("a session that is still in use is not cleared away, however long ago it began", async () => {
  const sandbox = new BridgeSandbox();
  const session = (id: string) => new BridgeSession(sandbox.state, "claude", id, "/");
  session("long").startedIn(["/first"]);
  const folder = join(sandbox.state, "bridge", "sessions", "claude-long");
  const longAgo = Date.now() / 1_000 - 40 * 24 * 60 * 60;
  utimesSync(folder, longAgo, longAgo);
  expect(session("long").startedIn(["/second"])).toEqual(["/first"]);
  session("new").startedIn(["/elsewhere"]);
  expect(session("long").startedIn(["/second"])).toEqual(["/first"]);
});

test("stops that two bridges refuse at the same moment are both counted", () => {
  const sandbox = new BridgeSandbox();
  const session = () => new BridgeSession(sandbox.state, "claude", "s1", "/");
  const [one, other] = [session(), session()];
  expect([one.timesKeptRunning("before_stop"), other.timesKeptRunning("before_stop")]).toEqual([0, 0]);
  expect([one.addKeptRunning("before_stop", "more"), other.addKeptRunning("before_stop", "more")]).toEqual([
    1, 2,
  ]);
  expect(one.timesKeptRunning("before_stop")).toBe(2);
  one.clearKeptRunning("before_stop");
  expect(other.timesKeptRunning("before_stop")).toBe(0);
});

test.each(["", 5, null, ["Bash"], {}])(
  "a call of a tool that is named %j is refused where a hook might have refused it",
  async (name) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("guard", { fields: ["on_error: continue"], script: "exit 0" });
    expect(await sandbox.send(BASH, { tool_name: name })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("names no tool"),
    });
  },
);

test.each([5, "rm -rf x", [], ["rm"], true])(
  "a call with the input %j is refused where a hook might have refused it",
  async (input) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("guard", { fields: ["on_error: continue", "matcher: { pattern: rm }"], script: "exit 0" });
    expect(await sandbox.send(BASH, { tool_input: input })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("no object"),
    });
  },
);

test.each([
  ["copilot/preToolUse.bash", "toolName", "toolArgs", "view", { path: "/secret", file_path: "/fine" }],
  ["copilot/preToolUse.bash", "toolName", "toolArgs", "view", { file_path: "/fine", path: "/secret" }],
  [
    "gemini/BeforeTool.run_shell_command",
    "tool_name",
    "tool_input",
    "read_file",
    { absolute_path: "/secret", file_path: "/fine" },
  ],
  ["kimi/PreToolUse.Bash", "tool_name", "tool_input", "Read", { path: "/secret", file_path: "/fine" }],
])(
  "%s: an argument under two names, with two values, is refused",
  async (fixture, name, input, tool, args) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("reads", {
      fields: ["matcher: { tool: ReadFile }"],
      script: `grep -q '"file_path": *"/secret"' && { echo no >&2; exit 2; }; exit 0`,
    });
    const answer = await sandbox.send(fixture, { [name]: tool, [input]: args });
    expect(answer).toMatchObject({ exit: 2 });
  },
);

test.each([[[]], ["[]"]])(
  "a call of Cline that lists %j is one call, which hooks are asked about",
  async (commands) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("refuses", { script: `cat > "${sandbox.root}/seen"; echo no >&2; exit 2` });
    const { tool_call: call } = sandbox.payload("cline/tool_call.run_commands") as {
      readonly tool_call: object;
    };
    const answer = await sandbox.send("cline/tool_call.run_commands", {
      tool_call: { ...call, input: { commands } },
    });
    expect(JSON.parse(answer.stdout)).toMatchObject({ cancel: true });
    expect(JSON.parse(readFileSync(join(sandbox.root, "seen"), "utf8"))).toMatchObject({
      tool_name: "Shell",
    });
  },
);

test.each([
  { path: "/secret", file_path: "/fine" },
  { file_path: "/fine", file: "/secret" },
])("a file that Cline lists under two names, %j, is refused", async (file) => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("reads", { fields: ["matcher: { tool: ReadFile }"], script: "exit 0" });
  const { tool_call: call } = sandbox.payload("cline/tool_call.run_commands") as {
    readonly tool_call: object;
  };
  const answer = await sandbox.send("cline/tool_call.run_commands", {
    tool_call: { ...call, name: "read_files", input: { files: [file] } },
  });
  expect(JSON.parse(answer.stdout)).toMatchObject({ cancel: true });
});

test.each([
  "copilot-quirks/preToolUse.apply_patch",
  "copilot-quirks/PreToolUse.Edit-patch",
  "opencode-quirks/PreToolUse.apply_patch",
  "droid-quirks/PreToolUse.ApplyPatch",
  "cline-quirks/tool_call.apply_patch",
])("%s: each file of a patch is checked, as an edit or a new file", async (name) => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("seen", { script: `cat >> "${sandbox.root}/seen"; printf '\\0' >> "${sandbox.root}/seen"` });
  sandbox.hook("edits", {
    fields: [
      "priority: 1",
      "matcher: { tool: WriteFile, pattern: new.ts }",
      "action: block",
      "reason: no new files",
    ],
  });
  const { stderr } = await sandbox.send(name);
  expect(stderr).toContain("no new files");
  const seen = readFileSync(join(sandbox.root, "seen"), "utf8").split("\0").filter(Boolean);
  expect(seen.map((line) => JSON.parse(line))).toMatchObject([
    { tool_name: "EditFile", tool_input: { file_path: join(sandbox.project, "notes.txt") } },
    { tool_name: "WriteFile", tool_input: { file_path: join(sandbox.project, "src/new.ts") } },
  ]);
});

test("a patch beside the arguments of an edit does not hide the file that is edited", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("edits", {
    fields: ["matcher: { tool: EditFile, pattern: secret }", "action: block", "reason: no"],
  });
  const input = "*** Begin Patch\n*** Add File: fine.txt\n+x\n*** End Patch";
  const answer = await sandbox.send("copilot-quirks/PreToolUse.Edit-patch", {
    tool_input: { path: "/secret", old_str: "a", new_str: "b", input },
  });
  expect(answer).toMatchObject({ exit: 2, stderr: "no\n" });
});
