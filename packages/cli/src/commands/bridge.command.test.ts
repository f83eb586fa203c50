import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN, CommandSandbox, ended } from "../testing/command-sandbox.ts";

const CLAUDE = ["bridge", "--client", "claude", "--event", "PreToolUse"];

function bash(sandbox: CommandSandbox, command: string): string {
  return JSON.stringify({
    session_id: "s1",
    cwd: sandbox.project,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command, description: "d" },
    tool_use_id: `id ${command}`,
  });
}

test("bridge answers a client in its own words, with the exit code that refuses", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", {
    scope: "user",
    fields: ["matcher:", "  pattern: rm"],
    script: "echo no >&2; exit 2",
  });
  const blocked = await sandbox.run(CLAUDE, { input: bash(sandbox, "rm -rf build") });
  expect({ ...blocked, stdout: JSON.parse(blocked.stdout) }).toEqual({
    code: 2,
    stderr: "no\n",
    stdout: {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "no",
      },
    },
  });
  expect(await sandbox.run(CLAUDE, { input: bash(sandbox, "ls") })).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
  // A third time, with the code that the first one kept.
  expect(await sandbox.run(CLAUDE, { input: bash(sandbox, "rm x") })).toMatchObject({
    code: 2,
    stderr: "no\n",
  });
});

test("bridge does not wait for a client that leaves the pipe open", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { scope: "user", fields: ["action: block", "reason: no"] });
  const child = spawn(process.execPath, [BIN, ...CLAUDE], { cwd: sandbox.project, env: sandbox.env() });
  child.stdin.write(bash(sandbox, "ls"));
  const { code } = await ended(child);
  child.stdin.destroy();
  expect(code).toBe(2);
});

test("a background hook outlives the bridge and keeps none of its pipes open", async () => {
  const sandbox = new CommandSandbox();
  const fifo = join(sandbox.root, "release");
  const done = join(sandbox.root, "done");
  sandbox.hook("slow", {
    scope: "user",
    fields: ["async: true"],
    script: `while [ ! -e '${fifo}' ]; do sleep 0.05; done; cat > '${done}.part'; mv '${done}.part' '${done}'`,
  });
  // It ends, with both pipes closed, while the hook still waits.
  expect(await sandbox.run(CLAUDE, { input: bash(sandbox, "ls") })).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
  expect(existsSync(done)).toBe(false);
  sandbox.write(fifo, "");
  await expect.poll(() => existsSync(done)).toBe(true);
  expect(JSON.parse(readFileSync(done, "utf8"))).toMatchObject({ tool_name: "Shell" });
  await expect
    .poll(() => existsSync(sandbox.auditFile) && sandbox.read(sandbox.auditFile))
    .toContain('"hook":"slow"');
});

test("a hung guard is answered for before the client gives up", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("hung", { scope: "user", fields: ["on_error: block"], script: "exec sleep 300" });
  const { code, stderr } = await sandbox.run([...CLAUDE, "--timeout", "4"], { input: bash(sandbox, "ls") });
  expect(code).toBe(2);
  expect(stderr).toContain("hung must not be passed over");
});

test("pinned folders are used with any environment", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { scope: "user", fields: ["action: block", "reason: no"] });
  const elsewhere = { XDG_CONFIG_HOME: "/nonexistent", XDG_STATE_HOME: "/nonexistent", HOME: "/nonexistent" };
  const input = bash(sandbox, "ls");
  expect(await sandbox.run(CLAUDE, { input, env: elsewhere })).toMatchObject({ code: 0 });
  const pins = [
    ...["--config-home", join(sandbox.home, ".config")],
    ...["--state-home", join(sandbox.home, ".local", "state")],
    ...["--cache-home", join(sandbox.home, ".cache")],
  ];
  expect(await sandbox.run([...CLAUDE, ...pins], { input, env: elsewhere })).toMatchObject({ code: 2 });
});

test("the code of the first five calls is stored, with what later ones of them ran, and then it is not written again", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("other", { scope: "user", fields: ["matcher:", "  tool: ReadFile"], script: "exit 0" });
  const folder = join(sandbox.home, ".cache", "tenterhook", "bridge", "code");
  const counts: unknown[] = [];
  const sizes: number[] = [];
  for (let nth = 0; nth < 7; nth++) {
    expect(await sandbox.run(CLAUDE, { input: bash(sandbox, "ls") })).toMatchObject({ code: 0 });
    const [main = "", ...more] = readdirSync(folder).filter((name) => name.includes("main.js"));
    expect(more).toEqual([]);
    const data = readFileSync(join(folder, main));
    counts.push(data[0]);
    sizes.push(data.length);
  }
  expect(counts).toEqual([1, 2, 3, 4, 5, 5, 5]);
  // The first call makes the plan; the second finds that nothing matches.
  expect(sizes[6]).toBeGreaterThan(sizes[0] ?? 0);
});

test("a call that no hook matches loads neither the engine nor a parser once a plan is kept", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { scope: "user", fields: ["matcher:", "  tool: WriteFile"], script: "exit 2" });
  // The first call records the guard, the second one stores the plan that depends on it.
  for (let nth = 0; nth < 2; nth++) await sandbox.run(CLAUDE, { input: bash(sandbox, "ls") });
  // The bridge reads its own files itself, so what is read counts beside what Node has loaded.
  const probe = `data:text/javascript,${encodeURIComponent(`
    import fs from "node:fs";
    import { createRequire } from "node:module";
    const { cache } = createRequire("/");
    const { readFileSync, writeSync } = fs;
    const files = [];
    fs.readFileSync = (file, ...options) => {
      files.push(String(file));
      return readFileSync(file, ...options);
    };
    process.on("exit", () => writeSync(2, [...files, ...Object.keys(cache)].join("\\n")));
  `)}`;
  const loadedBy = async (command: string) => {
    const { stderr } = await sandbox.run(CLAUDE, {
      input: bash(sandbox, command),
      node: ["--import", probe],
    });
    return [...new Set([...stderr.matchAll(/([^/\n]+)\.js$/gm)].map(([, name]) => name))].sort();
  };
  expect(await loadedBy("ls")).toEqual(["claude", "copilot", "main", "tenterhook"]);
  sandbox.hook("shell", { scope: "user", fields: ["matcher:", "  tool: Shell"], script: "exit 0" });
  expect(await loadedBy("ls")).toContain("answer-by-hooks");
});

test("bridge without a client reports the missing options", async () => {
  const { code, stderr } = await new CommandSandbox().run(["bridge"]);
  expect(code).toBe(1);
  expect(stderr).toContain("--client and --event");
});
