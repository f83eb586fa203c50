import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { agentFile } from "./testing/agent-file.ts";
import { BIN, CommandSandbox, ended, type Ran } from "./testing/command-sandbox.ts";

// Permission bits do not stop root, so the obstacles here stop every user: a file, and a file system without folders.

/** Expects an error with a message and advice. */
function expectNamed({ code, stdout, stderr }: Ran, what: RegExp, remedy: RegExp): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  const [message = "", hint = "", ...more] = stderr.trimEnd().split("\n");
  expect(message).toMatch(what);
  expect(hint).toMatch(remedy);
  expect(more).toEqual([]);
}

describe("a folder that is not writable is reported with advice", () => {
  test.each(["up", "serve", "runners start"])("by %s: its data folder is a file", async (command) => {
    const sandbox = new CommandSandbox();
    const file = sandbox.write(join(sandbox.root, "taken"), "");
    const access =
      command === "runners start" ? ["--url", "http://127.0.0.1:1", "--token", "t"] : ["--port", "0"];
    expectNamed(
      await sandbox.run([...command.split(" "), "--data", file, ...access]),
      /data folder \S*taken\S* cannot be written to: \S+ is a file, not a folder\.$/,
      /--data.*XDG_DATA_HOME/,
    );
  });

  test.each(["up", "serve"])("by %s: its data folder cannot be created", async (command) => {
    expectNamed(
      await new CommandSandbox().run([command, "--data", "/proc/missing/data", "--port", "0"]),
      /the data folder \/proc\/missing\/data cannot be written to: \/proc\/missing cannot be created\.$/,
      /--data/,
    );
  });

  test.each(["up", "serve"])("by %s: HOME is a file, and no option was given", async (command) => {
    const sandbox = new CommandSandbox();
    const HOME = sandbox.write(join(sandbox.root, "taken"), "");
    expectNamed(
      await sandbox.run([command, "--port", "0"], { env: { HOME } }),
      /the data folder .* cannot be written to: \S+taken is a file/,
      /set HOME or XDG_DATA_HOME/,
    );
  });

  test("by init: the user's hooks, and the project's", async () => {
    const sandbox = new CommandSandbox();
    const HOME = sandbox.write(join(sandbox.root, "taken"), "");
    const init = ["init", "guard", "--trigger", "before_tool"];
    expectNamed(
      await sandbox.run([...init, "--user"], { env: { HOME } }),
      /the hooks folder .* cannot be written to: \S+taken is a file/,
      /set HOME or XDG_CONFIG_HOME/,
    );
    sandbox.write(sandbox.projectHooks, "");
    expectNamed(await sandbox.run(init), /hooks cannot be written to: it is a file/, /--user/);
  });

  test("by install: the state folder is a file, and nothing is changed", async () => {
    const sandbox = new CommandSandbox();
    const settings = sandbox.write(join(sandbox.home, ".claude", "settings.json"), "{}\n");
    sandbox.write(join(sandbox.home, ".local", "state"), "");
    const { code, stderr } = await sandbox.run(["install", "claude"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /the state folder .* cannot be written to: \S+state is a file.*\n.*XDG_STATE_HOME/,
      ),
    });
    expect(sandbox.read(settings)).toBe("{}\n");
  });

  test("by install: a home in which nothing can be made", async () => {
    const sandbox = new CommandSandbox();
    const child = spawn(process.execPath, [BIN, "install", "claude"], {
      cwd: sandbox.project,
      env: sandbox.env({ HOME: "/proc/missing" }),
    });
    // One that waits for ever ends with the test.
    onTestFinished(() => void child.kill("SIGKILL"));
    const { code, stderr } = await ended(child);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/state folder .*: \/proc\/missing cannot be created/),
    });
  });

  test("by trust: trust data cannot be stored", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { script: "exit 0" });
    const HOME = sandbox.write(join(sandbox.root, "taken"), "");
    const { code, stdout } = await sandbox.onTerminal(["trust"], ["y"], { HOME, NO_COLOR: "1" });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /the state folder .* cannot be written to: \S+taken is a file.*\n.*XDG_STATE_HOME/,
    );
    expect(stdout).not.toContain("[y/N]");
  });

  test("by run --session: the conversation cannot be stored", async () => {
    const sandbox = new CommandSandbox();
    const HOME = sandbox.write(join(sandbox.root, "taken"), "");
    const run = ["run", agentFile(sandbox), "Hi", "--session", "ours"];
    const what = /the folder of conversations .* cannot be written to: \S+taken is a file/;
    expectNamed(await sandbox.run(run, { env: { HOME } }), what, /--data/);
    expectNamed(await sandbox.run([...run, "--data", HOME]), what, /--data/);
  });

  test("as JSON, with the code of the system", async () => {
    const sandbox = new CommandSandbox();
    const file = sandbox.write(join(sandbox.root, "taken"), "");
    expect(await sandbox.json(["serve", "--data", file, "--port", "0"])).toMatchObject({
      error: { code: "ENOTDIR", path: file, hint: expect.stringContaining("--data") },
    });
  });
});

test.each(["/dev/null", "/proc/missing"])(
  "hooks run with a HOME of %s, and the failed audit trail is reported with advice",
  async (HOME) => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { script: "echo no >&2; exit 2" });
    const { code, stderr, stdout } = await sandbox.run(["try", "before_tool", "--tool", "Shell"], {
      env: { HOME },
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining("blocked by guard: no") });
    expect(stderr).toMatch(/the audit trail could not be written: .*XDG_STATE_HOME/);
  },
);
