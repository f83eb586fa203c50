import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { TrustStore } from "@tenterhook/file-hooks/trust";
import { isAlive } from "@tenterhook/test-support/is-alive";
import { expect, test } from "vitest";
import { BIN, CommandSandbox, ended } from "../testing/command-sandbox.ts";

const CLAUDE = ["bridge", "--client", "claude", "--event", "PreToolUse"];

function bash(cwd: string, command: string, id = "1"): string {
  const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: id };
  return JSON.stringify({ session_id: "s1", cwd, hook_event_name: "PreToolUse", ...call });
}

function guarded(): CommandSandbox {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", {
    scope: "user",
    fields: ["on_error: block", "matcher:", "  pattern: rm"],
    script: "echo no >&2; exit 2",
  });
  return sandbox;
}

test.each<[string, (text: string) => Buffer]>([
  ["begins with a byte order mark", (text) => Buffer.from(`\ufeff${text}`)],
  ["is UTF-16", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
  ["has half a character in it", (text) => Buffer.from(text.replace("rm x", "rm \\ud83d x"))],
  [
    "is no UTF-8",
    (text) =>
      Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xff, 0xfe]), Buffer.from(text.slice(-2))]),
  ],
  [
    "is nested 5,000 deep",
    (text) => Buffer.from(text.replace('"rm x"', `${"[".repeat(5_000)}${"]".repeat(5_000)}`)),
  ],
])("a payload that %s does not get past a guard", async (_, bytesOf) => {
  const sandbox = guarded();
  const child = spawn(process.execPath, [BIN, ...CLAUDE], { cwd: sandbox.project, env: sandbox.env() });
  child.stdin.end(bytesOf(bash(sandbox.project, "rm x")));
  const { code, stderr } = await ended(child);
  expect(code).toBe(2);
  expect(stderr.trim()).not.toBe("");
});

test("twenty bridges of one session at once check each call once", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("seen", { scope: "user", script: `echo x >> '${sandbox.root}/seen'` });
  const calls = Array.from({ length: 10 }, (_, id) => bash(sandbox.project, "ls", `call ${id}`));
  await Promise.all(
    calls.flatMap((input) =>
      ["user", "project"].map(async (entry) => {
        const ran = await sandbox.run([...CLAUDE, "--entry", entry], { input });
        expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
      }),
    ),
  );
  expect(sandbox.read(`${sandbox.root}/seen`).match(/x/g)).toHaveLength(10);
});

test("bridges that are the first of a session at once agree on the folder that it began in", async () => {
  const sandbox = new CommandSandbox();
  const trust = new TrustStore(join(sandbox.home, ".local", "state", "tenterhook"));
  const projects = Array.from({ length: 4 }, (_, at) => join(sandbox.root, `project-${at}`));
  for (const project of projects) {
    const folder = join(project, ".agents", "hooks", "seen");
    sandbox.write(
      join(folder, "HOOK.md"),
      "---\nname: seen\ndescription: records its project\ntrigger: before_tool\n---\n",
    );
    const script = `#!/bin/sh\necho '${project}' >> '${sandbox.root}/seen'\n`;
    sandbox.write(join(folder, "scripts", "run.sh"), script, 0o755);
    const { hook } = readHookFile(join(folder, "HOOK.md")) ?? {};
    if (hook === undefined) throw new Error("no hook");
    trust.trust(folder, hook);
  }
  await Promise.all(
    projects.map(async (cwd, id) => {
      const ran = await sandbox.run(CLAUDE, { cwd, input: bash(cwd, "ls", `call ${id}`) });
      expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
    }),
  );
  const stored = join(trust.path, "..", "bridge", "sessions", "claude-s1", "folders.json");
  const [begun] = JSON.parse(sandbox.read(stored)) as string[];
  // Each call asked the hooks of its own folder and of that one.
  const asked = sandbox.read(`${sandbox.root}/seen`).trim().split("\n").sort();
  expect(asked).toEqual([...projects, ...projects.slice(1).map(() => begun)].sort());
});

test("a client that has closed its ends of the pipes does not change the exit code", async () => {
  const sandbox = guarded();
  const child = spawn(process.execPath, [BIN, ...CLAUDE], { cwd: sandbox.project, env: sandbox.env() });
  child.stdout.destroy();
  child.stderr.destroy();
  child.stdin.end(bash(sandbox.project, "rm x"));
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(2);
});

test("a project that is deleted under the agent does not disarm the user's guard", async () => {
  const sandbox = guarded();
  const folder = join(sandbox.root, "gone");
  mkdirSync(folder);
  const child = spawn("/bin/sh", ["-c", 'rmdir "$PWD"; exec "$0" "$@"', process.execPath, BIN, ...CLAUDE], {
    cwd: folder,
    env: sandbox.env(),
  });
  child.stdin.end(bash(folder, "rm x"));
  expect(await ended(child)).toMatchObject({ code: 2, stderr: "no\n" });
});

test("a state folder that is a file, and a cache that is one too, disarm nothing and leave nothing behind", async () => {
  const sandbox = guarded();
  const TMPDIR = join(sandbox.root, "temp");
  mkdirSync(TMPDIR);
  sandbox.write(join(sandbox.home, ".local", "state", "tenterhook"), "");
  sandbox.write(join(sandbox.home, ".cache"), "");
  const input = bash(sandbox.project, "rm x");
  for (let time = 0; time < 2; time++)
    expect(await sandbox.run(CLAUDE, { input, env: { TMPDIR } })).toMatchObject({ code: 2 });
  expect(readdirSync(TMPDIR)).toEqual([]);
});

test.each(["there", "missing"])(
  "a working folder a thousand levels deep, that is %s, is checked in time",
  async (kind) => {
    const sandbox = guarded();
    const deep = join(sandbox.project, "a/".repeat(1_000));
    if (kind === "there") mkdirSync(deep, { recursive: true });
    expect(await sandbox.run(CLAUDE, { input: bash(deep, "rm x") })).toMatchObject({
      code: 2,
      stderr: "no\n",
    });
  },
);

test("without HOME a guard is enforced that is in the folders which the environment names", async () => {
  const sandbox = guarded();
  const { HOME: home = "", ...env } = sandbox.env();
  const folders = {
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CACHE_HOME: join(home, "cache"),
  };
  const child = spawn(process.execPath, [BIN, ...CLAUDE], {
    cwd: sandbox.project,
    env: { ...env, ...folders },
  });
  child.stdin.end(bash(sandbox.project, "rm x"));
  expect((await ended(child)).code).toBe(2);
  expect(readdirSync(join(home, "state", "tenterhook"))).toContain("bridge");
});

test("without HOME the home folder of the account is used", () => {
  // Only looked up: a test must not write there.
  const { userHooks, state, cache } = findLocations("/", {});
  expect([userHooks, state, cache]).toEqual([
    join(homedir(), ".config", "agents", "hooks"),
    join(homedir(), ".local", "state", "tenterhook"),
    join(homedir(), ".cache", "tenterhook"),
  ]);
});

test("a session whose files have a time in the future is kept", async () => {
  const sandbox = guarded();
  await sandbox.run(CLAUDE, { input: bash(sandbox.project, "rm x") });
  const sessions = join(sandbox.home, ".local", "state", "tenterhook", "bridge", "sessions");
  for (const name of readdirSync(sessions)) utimesSync(join(sessions, name), 4_000_000_000, 4_000_000_000);
  expect(await sandbox.run(CLAUDE, { input: bash(sandbox.project, "rm y", "2") })).toMatchObject({ code: 2 });
});

test("a bridge that gets SIGTERM ends its hook too", async () => {
  const sandbox = new CommandSandbox();
  const pid = join(sandbox.root, "pid");
  sandbox.hook("slow", {
    scope: "user",
    script: `echo $$ > '${pid}.part'; mv '${pid}.part' '${pid}'; exec sleep 300`,
  });
  const child = spawn(process.execPath, [BIN, ...CLAUDE], { cwd: sandbox.project, env: sandbox.env() });
  child.stdin.end(bash(sandbox.project, "ls"));
  await expect.poll(() => readdirSync(sandbox.root)).toContain("pid");
  child.kill("SIGTERM");
  await ended(child);
  const hook = Number(sandbox.read(pid));
  await expect.poll(() => isAlive(hook)).toBe(false);
});

test("a state folder that cannot be written to disarms nothing", async () => {
  const sandbox = guarded();
  const state = join(sandbox.home, ".local", "state", "tenterhook");
  mkdirSync(state, { recursive: true });
  chmodSync(state, 0o500);
  expect(await sandbox.run(CLAUDE, { input: bash(sandbox.project, "rm x") })).toMatchObject({ code: 2 });
  chmodSync(state, 0o700);
  rmSync(state, { recursive: true });
});

test("a payload of a megabyte, without a line end, is checked to its last word", async () => {
  const sandbox = guarded();
  const input = bash(sandbox.project, `echo ${"x".repeat(1_048_576)}; rm y`);
  expect(await sandbox.run(CLAUDE, { input })).toMatchObject({ code: 2, stderr: "no\n" });
});

test("of two keys of one name the last counts, as it does for the client", async () => {
  const sandbox = guarded();
  const twice = (first: string, last: string) =>
    bash(sandbox.project, last).replace('"tool_input"', `"tool_input":{"command":"${first}"},"tool_input"`);
  expect(await sandbox.run(CLAUDE, { input: twice("ls", "rm x") })).toMatchObject({ code: 2 });
  expect(await sandbox.run(CLAUDE, { input: twice("rm x", "ls") })).toMatchObject({ code: 0 });
});

test("two clients at once in one project are both checked, and neither takes the other's call", async () => {
  const sandbox = guarded();
  const call = { session_id: "s1", cwd: sandbox.project, tool_input: { command: "rm x" } };
  const gemini = { ...call, hook_event_name: "BeforeTool", tool_name: "run_shell_command" };
  const answers = await Promise.all([
    sandbox.run(CLAUDE, { input: bash(sandbox.project, "rm x") }),
    sandbox.run(["bridge", "--client", "gemini", "--event", "BeforeTool"], { input: JSON.stringify(gemini) }),
  ]);
  expect(answers.map(({ stdout }) => stdout)).toEqual([
    expect.stringContaining('"permissionDecision":"deny"'),
    expect.stringContaining('"decision":"deny"'),
  ]);
});

test("in a clone that was never trusted the user's guard is enforced, and the clone's own hooks do not run", async () => {
  const sandbox = guarded();
  const clone = join(sandbox.root, "clone");
  const folder = join(clone, ".agents", "hooks", "theirs");
  const head = "name: theirs\ndescription: of a stranger\ntrigger: before_tool";
  sandbox.write(join(folder, "HOOK.md"), `---\n${head}\n---\n`);
  sandbox.write(join(folder, "scripts", "run.sh"), `#!/bin/sh\ntouch '${sandbox.root}/ran'\n`, 0o755);
  expect(await sandbox.run(CLAUDE, { input: bash(sandbox.project, "ls") })).toMatchObject({ code: 0 });
  const moved = bash(clone, "rm x", "2");
  expect(await sandbox.run(CLAUDE, { input: moved })).toMatchObject({ code: 2 });
  expect(readdirSync(sandbox.root)).not.toContain("ran");
});
