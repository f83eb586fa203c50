import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BIN, CommandSandbox, ended } from "../testing/command-sandbox.ts";

const CLAUDE = ["bridge", "--client", "claude", "--event", "PreToolUse"];

function bash(cwd: string, more: object = {}): string {
  const call = { tool_name: "Bash", tool_input: { command: "rm x" }, tool_use_id: "1" };
  return JSON.stringify({ session_id: "s1", cwd, hook_event_name: "PreToolUse", ...call, ...more });
}

/** Hooks with `on_error: continue`: only what really asks them refuses. */
function guarded(script = "echo no >&2; exit 2"): CommandSandbox {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { scope: "user", script });
  return sandbox;
}

const PATHS: readonly (readonly [string, (sandbox: CommandSandbox) => string])[] = [
  ["the .git of the project", ({ project }) => join(project, ".git")],
  ["the HOOK.md of a project's hook", ({ projectHooks }) => join(projectHooks, "pipe", "HOOK.md")],
  ["the overrides of the project", ({ projectHooks }) => join(projectHooks, "hooks.toml")],
  ["what was refused in the session", (sandbox) => state(sandbox, "bridge/sessions/claude-s1/refusal.json")],
  ["the folders of the session", (sandbox) => state(sandbox, "bridge/sessions/claude-s1/folders.json")],
  ["the list of guards", (sandbox) => state(sandbox, "bridge/guards")],
  ["the lock of that list", (sandbox) => state(sandbox, "bridge/guards.lock")],
  ["the list of known guards", (sandbox) => state(sandbox, "known-guards.json")],
  ["the lock of known guards", (sandbox) => state(sandbox, "known-guards.json.lock")],
  ["the list of entries", (sandbox) => state(sandbox, "bridge/entries/claude.json")],
  ["the store of what is trusted", (sandbox) => state(sandbox, "trust.json")],
  ["the log", (sandbox) => state(sandbox, "audit.jsonl")],
  ["the transcript", ({ project }) => join(project, "transcript.jsonl")],
];

function state({ home }: CommandSandbox, path: string): string {
  return join(home, ".local", "state", "tenterhook", path);
}

test.each(PATHS)(
  "a pipe that nothing writes to, in the place of %s, keeps no call waiting",
  async (_, at) => {
    const sandbox = guarded();
    sandbox.hook("theirs", { fields: ["action: block", "reason: never"] });
    const path = at(sandbox);
    mkdirSync(dirname(path), { recursive: true });
    execFileSync("mkfifo", [path]);
    const input = bash(sandbox.project, { transcript_path: join(sandbox.project, "transcript.jsonl") });
    const child = spawn(process.execPath, [BIN, ...CLAUDE], { cwd: sandbox.project, env: sandbox.env() });
    // One that waits for the pipe ends with the test.
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdin.end(input);
    const { code, stderr } = await ended(child);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "no\n" });
  },
);

test("a device without an end, in the place of what was refused, keeps no call waiting", async () => {
  const sandbox = guarded();
  const path = state(sandbox, "bridge/sessions/claude-s1/refusal.json");
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync("/dev/zero", path);
  expect(await sandbox.run(CLAUDE, { input: bash(sandbox.project) })).toMatchObject({
    code: 2,
    stderr: "no\n",
  });
});

// Below /proc a folder that does not exist cannot be made, and its parent seems not to exist either.
test("state and cache folders below one that cannot be made keep no call waiting", async () => {
  const sandbox = guarded();
  const env = sandbox.env({ XDG_STATE_HOME: "/proc/missing/state", XDG_CACHE_HOME: "/proc/missing/cache" });
  const child = spawn(process.execPath, [BIN, ...CLAUDE], { cwd: sandbox.project, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end(bash(sandbox.project));
  const { code, stderr } = await ended(child);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "no\n" });
});

test("pipes in the place of all that is cached keep no call waiting", async () => {
  const sandbox = guarded();
  await sandbox.run(CLAUDE, { input: bash(sandbox.project) });
  const cache = join(sandbox.home, ".cache", "tenterhook");
  const files = execFileSync("find", [cache, "-type", "f"], { encoding: "utf8" }).split("\n").filter(Boolean);
  // The plan, the index of the user's hooks, and compiled code.
  expect(files.length).toBeGreaterThan(4);
  for (const file of files) {
    rmSync(file);
    execFileSync("mkfifo", [file]);
  }
  const input = bash(sandbox.project, { tool_use_id: "2" });
  expect(await sandbox.run(CLAUDE, { input })).toMatchObject({ code: 2, stderr: "no\n" });
});

test.each([
  ["a question", `echo '{"decision":"ask","reason":"sure?"}'`],
  ["a changed input", `echo '{"modified_input":{"command":"ls"}}'`],
])("%s that the client has closed its end for becomes a refusal", async (_, script) => {
  const sandbox = guarded(script);
  const child = spawn(process.execPath, [BIN, ...CLAUDE], { cwd: sandbox.project, env: sandbox.env() });
  child.stdout.destroy();
  child.stdin.end(bash(sandbox.project));
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(2);
});

test("more than can be checked is refused as soon as that is known, whatever the guard's on_error", async () => {
  const sandbox = guarded("exit 0");
  const child = spawn(process.execPath, [BIN, ...CLAUDE], { cwd: sandbox.project, env: sandbox.env() });
  child.stdin.on("error", () => undefined);
  // It has no end: the client keeps writing.
  const chunk = Buffer.alloc(1_048_576, "[],");
  const more = () => child.stdin.writable && child.stdin.write(chunk, () => setImmediate(more));
  child.stdin.write(`{"session_id":"s1","tool_input":[`, more);
  const { code, stderr } = await ended(child);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("too long") });
});

test.each([
  ["the working folder", { cwd: "/tmp/\0x" }],
  ["the session id", { session_id: "a\0b" }],
])("a character that no variable can contain, in %s, keeps no hook from starting", async (_, more) => {
  const sandbox = guarded();
  const ran = await sandbox.run(CLAUDE, { input: bash(sandbox.project, more) });
  expect(ran).toMatchObject({ code: 2, stderr: "no\n" });
});

test.each<[string, (code: Buffer) => Uint8Array]>([
  ["whose end was never written, as after a loss of power", (code) => code.fill(0, code.length >> 1)],
  ["that is cut", (code) => code.subarray(0, code.length - 1_000)],
  ["with a changed byte in every thousand", (code) => code.map((byte, at) => (at % 1_000 ? byte : ~byte))],
  ["with a changed byte in each half", (code) => flip(flip(code, 700), code.length - 700)],
  ["of another file", () => Buffer.alloc(20_000, "x")],
])("compiled code %s is compiled anew", async (_, damage) => {
  const sandbox = guarded();
  await sandbox.run(CLAUDE, { input: bash(sandbox.project) });
  const folder = join(sandbox.home, ".cache", "tenterhook", "bridge", "code");
  const names = readdirSync(folder);
  expect(names.length).toBeGreaterThan(2);
  for (const name of names)
    writeFileSync(join(folder, name), damage(Buffer.from(readFileSync(join(folder, name)))));
  const ran = await sandbox.run(CLAUDE, { input: bash(sandbox.project, { tool_use_id: "2" }) });
  expect(ran).toMatchObject({ code: 2, stderr: "no\n" });
});

function flip(code: Buffer, at: number): Buffer {
  code[at] = ~(code[at] ?? 0);
  return code;
}

test("on a full disk a guard is enforced, and no half-written file is left behind", async () => {
  const sandbox = guarded();
  sandbox.hook("later", { scope: "user", fields: ["async: true", "always: true"], script: "exit 0" });
  // Files can be made, but nothing can be written to them.
  const full = ["-c", 'ulimit -f 0; exec "$@"', "sh", process.execPath, BIN, ...CLAUDE];
  const child = spawn("/bin/sh", full, { cwd: sandbox.project, env: sandbox.env() });
  child.stdin.end(bash(sandbox.project));
  expect(await ended(child)).toMatchObject({ code: 2, stderr: "no\n" });
  const left = readdirSync(sandbox.home, { recursive: true, encoding: "utf8" });
  expect(left.filter((path) => /lock$|draft|\d-\d+$|jobs\/|bridge\/code\//.test(path))).toEqual([]);
});
