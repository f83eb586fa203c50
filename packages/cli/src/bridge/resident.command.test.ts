import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox, ended, type Ran } from "../testing/command-sandbox.ts";
import { ResidentClaude } from "../testing/resident-claude.ts";

const POLL = { timeout: 20_000 };

/** A guard that stores its environment, its folder, its umask and its parent, and refuses what contains "no". */
function sandboxWithGuard(onError = "block"): CommandSandbox {
  const sandbox = new CommandSandbox();
  const script = `tr '\\0' '\\n' </proc/self/environ | sort >'${sandbox.root}/env'; pwd >'${sandbox.root}/cwd'; umask >'${sandbox.root}/umask'
case "$(cat)" in *no*) echo "because é" >&2; exit 2 ;; esac; echo '{"additional_context":"a\\\\nb \\\\\\\\ c"}'`;
  sandbox.hook("guard", { scope: "user", fields: [`on_error: ${onError}`], script });
  return sandbox;
}

/** A guard that stores its process and waits for a minute. */
function sandboxWithWaitingGuard(onError = "block"): { sandbox: CommandSandbox; pidFile: string } {
  const sandbox = new CommandSandbox();
  const pidFile = join(sandbox.root, "pid");
  const script = `case "$(cat)" in *first*) exit 0 ;; esac; echo $$ >'${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'; exec sleep 60`;
  sandbox.hook("waits", { scope: "user", fields: [`on_error: ${onError}`, "timeout: 60000"], script });
  return { sandbox, pidFile };
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function call({ claude }: ResidentClaude, command: string, timeout: string): Promise<Ran> {
  const { project: cwd } = claude.sandbox;
  const line = claude.command().replace(/--timeout \d+/, `--timeout ${timeout}`);
  const child = spawn("/bin/sh", ["-c", `exec ${line}`], { cwd, env: claude.sandbox.env() });
  child.stdin.on("error", () => undefined);
  child.stdin.end(claude.payload(command));
  return ended(child);
}

describe.runIf(process.platform === "linux")("an installation with a resident process", () => {
  test("answers are the same as those of the cold bridge, and so is what hooks see", async () => {
    const sandbox = sandboxWithGuard();
    const resident = await ResidentClaude.install(sandbox);
    const env = { LINES_: "a\n\nb", EMPTY: "", PERL5OPT: "-Mnone", PERL_UNICODE: "SDA" };
    const seen = () => ["env", "cwd", "umask"].map((name) => sandbox.read(join(sandbox.root, name)));
    const cold = [await resident.claude.call("yes", env), await resident.claude.call("no", env)];
    const coldSeen = seen();
    await expect.poll(() => resident.pid, POLL).toBeDefined();
    expect([await resident.ask("yes", env), await resident.ask("no", env)]).toEqual(cold);
    expect(seen()).toEqual(coldSeen);
    expect(cold.map(({ code }) => code)).toEqual([0, 2]);
  });

  test("many cold calls at once start one resident process", async () => {
    const resident = await ResidentClaude.install(sandboxWithGuard());
    const answers = await Promise.all(Array.from({ length: 12 }, () => resident.claude.call("no")));
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([2]));
    await expect.poll(() => resident.pid, POLL).toBeDefined();
    const { folder } = resident.files;
    const running = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
          return line.includes(`daemon\0--folder\0${folder}\0`);
        } catch {
          return false;
        }
      });
    expect(running).toEqual([String(resident.pid)]);
  });

  test("a caller with another umask is answered by the cold bridge, with its own umask", async () => {
    const sandbox = sandboxWithGuard();
    const resident = await ResidentClaude.start(sandbox);
    const before = sandbox.read(join(sandbox.root, "umask"));
    expect((await resident.claude.call("no", {}, "umask 0077; ")).code).toBe(2);
    expect(sandbox.read(join(sandbox.root, "umask"))).not.toBe(before);
    expect(sandbox.read(join(sandbox.root, "umask"))).toBe("0077\n");
  });

  test.each([
    ["block", 2],
    ["continue", 0],
  ])(
    "a resident process that is killed while a hook with on_error: %s runs ends the call with %i",
    async (onError, code) => {
      const { sandbox, pidFile } = sandboxWithWaitingGuard(onError);
      const resident = await ResidentClaude.start(sandbox);
      const running = resident.claude.call("ls");
      await expect.poll(() => existsSync(pidFile), POLL).toBe(true);
      process.kill(resident.pid ?? 0, "SIGKILL");
      const ran = await running;
      process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
      expect(ran).toMatchObject({
        code,
        stderr: expect.stringContaining("its resident process did not give an answer"),
      });
      // A socket that no process listens on is left behind: the next call is cold, and starts another one.
      rmSync(pidFile);
      expect((await resident.claude.call("first")).code).toBe(0);
      await expect.poll(() => resident.pid, POLL).toBeDefined();
    },
  );

  test("a resident process that hangs leaves a call to the cold bridge, in the client's time", async () => {
    const resident = await ResidentClaude.start(sandboxWithGuard());
    const { pid = 0 } = resident;
    process.kill(pid, "SIGSTOP");
    try {
      const cold = { code: 2, stderr: expect.stringContaining("because é") };
      expect(await call(resident, "no", "20")).toMatchObject(cold);
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)(
    "%s to the script ends the hook that runs",
    async (signal) => {
      const { sandbox, pidFile } = sandboxWithWaitingGuard();
      const resident = await ResidentClaude.start(sandbox);
      const child = resident.claude.start();
      child.stdin.end(resident.claude.payload("ls"));
      await expect.poll(() => existsSync(pidFile), POLL).toBe(true);
      const hook = Number(readFileSync(pidFile, "utf8"));
      child.kill(signal);
      const { code } = await ended(child);
      expect(code).toBe(signal === "SIGKILL" ? null : 2);
      await expect.poll(() => isRunning(hook), POLL).toBe(false);
      expect(resident.pid).toBeDefined();
    },
  );

  test("a client that waits for the end of its pipes does not wait for the resident process", async () => {
    const resident = await ResidentClaude.install(sandboxWithGuard());
    // It resolves when all pipes are closed.
    expect((await resident.claude.call("no")).code).toBe(2);
    await expect.poll(() => resident.pid, POLL).toBeDefined();
    const environment = readFileSync(`/proc/${resident.pid}/environ`, "utf8").split("\0").filter(Boolean);
    expect(environment.map((entry) => entry.split("=")[0]).sort()).toEqual(["HOME", "PATH"]);
  });

  test("the setting ends it at the next call, and uninstall removes its folder", async () => {
    const sandbox = sandboxWithGuard();
    const resident = await ResidentClaude.start(sandbox);
    const { pid = 0 } = resident;
    const toml = join(sandbox.userHooks, "hooks.toml");
    writeFileSync(toml, "[daemon]\nenabled = false\n");
    expect((await resident.claude.call("no")).code).toBe(2);
    await expect.poll(() => isRunning(pid), POLL).toBe(false);
    writeFileSync(toml, "[daemon]\nenabled = true\n");
    expect((await resident.claude.call("no")).code).toBe(2);
    await expect.poll(() => resident.pid, POLL).toBeDefined();
    const next = resident.pid ?? 0;
    expect((await sandbox.run(["uninstall"])).code).toBe(0);
    expect(existsSync(resident.files.folder)).toBe(false);
    await expect.poll(() => isRunning(next), POLL).toBe(false);
  });

  test("doctor says which process answers, and starts none", async () => {
    const sandbox = sandboxWithGuard();
    const resident = await ResidentClaude.install(sandbox);
    const before = await sandbox.run(["doctor"]);
    expect(before.stdout).toContain(
      "no resident process runs, so a call starts Node: the next call starts one",
    );
    expect(resident.pid).toBeUndefined();
    await resident.claude.call("yes");
    await expect.poll(() => resident.pid, POLL).toBeDefined();
    expect((await sandbox.run(["doctor"])).stdout).toContain(
      `the resident process ${resident.pid} answers calls`,
    );
  });
});
