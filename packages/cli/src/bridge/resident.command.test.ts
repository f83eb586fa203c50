import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox, ended } from "../testing/command-sandbox.ts";
import { ResidentClaude } from "../testing/resident-claude.ts";
import { WaitingSandbox } from "../testing/resident-guard.ts";

/** A guard that stores its environment, its folder, its umask and its parent, and refuses what contains "no". */
function sandboxWithGuard(onError = "block"): CommandSandbox {
  const sandbox = new CommandSandbox();
  const script = `tr '\\0' '\\n' </proc/self/environ | sort >'${sandbox.root}/env'; pwd >'${sandbox.root}/cwd'; umask >'${sandbox.root}/umask'
case "$(cat)" in *no*) echo "because é" >&2; exit 2 ;; esac; echo '{"additional_context":"a\\\\nb \\\\\\\\ c"}'`;
  sandbox.hook("guard", { scope: "user", fields: [`on_error: ${onError}`], script });
  return sandbox;
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe.runIf(process.platform === "linux")("an installation with a resident process", () => {
  test("answers are the same as those of the cold bridge, and so is what hooks see", async () => {
    const sandbox = sandboxWithGuard();
    const resident = await ResidentClaude.install(sandbox);
    const env = { LINES_: "a\n\nb", EMPTY: "", PERL5OPT: "-Mnone", PERL_UNICODE: "SDA" };
    const seen = () => ["env", "cwd", "umask"].map((name) => sandbox.read(join(sandbox.root, name)));
    const cold = [await resident.claude.call("yes", env), await resident.claude.call("no", env)];
    const coldSeen = seen();
    await expect.poll(() => resident.pid).toBeDefined();
    expect([await resident.ask("yes", env), await resident.ask("no", env)]).toEqual(cold);
    expect(seen()).toEqual(coldSeen);
    expect(cold.map(({ code }) => code)).toEqual([0, 2]);
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)(
    "%s to the script ends the hook that runs",
    async (signal) => {
      const sandbox = new WaitingSandbox("block");
      const resident = await ResidentClaude.start(sandbox);
      const { script, guard } = await sandbox.startWaiting(resident);
      script.kill(signal);
      const { code } = await ended(script);
      expect(code).toBe(signal === "SIGKILL" ? null : 2);
      await expect.poll(() => isRunning(guard)).toBe(false);
      expect(resident.pid).toBeDefined();
    },
  );

  test("no file has a value of the agent's environment, also while a hook in the background runs", async () => {
    const sandbox = new CommandSandbox();
    const found = join(sandbox.root, "found");
    const search = `grep -rlsF -D skip -e "$MARK" -e tenterhook-other-text '${sandbox.root}' >'${found}.new'`;
    sandbox.hook("guard", { scope: "user", script: "echo no >&2; exit 2" });
    const observer = sandbox.hook("observer", {
      scope: "user",
      fields: ["async: true", "always: true"],
      script: `[ -z "$MARK" ] || { ${search}; mv '${found}.new' '${found}'; }`,
    });
    const resident = await ResidentClaude.start(sandbox);
    expect((await resident.ask("no", { MARK: "value-3141592653" })).code).toBe(2);
    await expect.poll(() => existsSync(found)).toBe(true);
    // The search finds what is there: its own text.
    expect(sandbox.read(found)).toBe(`${join(observer, "scripts", "run.sh")}\n`);
  });

  test("a client that waits for the end of its pipes does not wait for the resident process", async () => {
    const resident = await ResidentClaude.install(sandboxWithGuard());
    // It resolves when all pipes are closed.
    expect((await resident.claude.call("no")).code).toBe(2);
    await expect.poll(() => resident.pid).toBeDefined();
    const environment = readFileSync(`/proc/${resident.pid}/environ`, "utf8").split("\0").filter(Boolean);
    expect(environment.map((entry) => entry.split("=")[0]).sort()).toEqual(["HOME", "PATH"]);
  });

  test("is what install writes if hooks.toml asks for it, and says so", async () => {
    const sandbox = sandboxWithGuard();
    sandbox.turnDaemonOn();
    expect(await sandbox.run(["install", "claude"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("how to turn it off: tenterhook daemon --help"),
    });
    const status = await sandbox.run(["daemon", "status"]);
    expect(status.stdout).toBe(
      "No resident process is running. The next call of a coding agent starts one.\n",
    );
  });

  test.each(["", "[daemon]\n", "[daemon]\nenabled = false\n", "[daemon]\nenabled = 'no'\n", "[daemon\n"])(
    "is not what install writes if hooks.toml is %j, and doctor says so",
    async (toml) => {
      const sandbox = sandboxWithGuard();
      sandbox.write(join(sandbox.userHooks, "hooks.toml"), toml);
      const { code, stdout } = await sandbox.run(["install", "claude"]);
      expect([code, stdout]).toEqual([0, expect.not.stringContaining("daemon")]);
      expect((await sandbox.run(["doctor"])).stdout).toContain(
        "every call starts Node: the resident process is not turned on in hooks.toml",
      );
      expect((await sandbox.run(["daemon", "status"])).stdout).toContain("uses no resident process");
    },
  );

  test("the setting ends it at the next call, and uninstall removes its folder", async () => {
    const sandbox = sandboxWithGuard();
    const resident = await ResidentClaude.start(sandbox);
    const { pid = 0 } = resident;
    const toml = join(sandbox.userHooks, "hooks.toml");
    writeFileSync(toml, "[daemon]\nenabled = false\n");
    expect((await resident.claude.call("no")).code).toBe(2);
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect((await sandbox.run(["daemon", "status"])).stdout).toBe(
      "No resident process is running: it is not turned on in hooks.toml.\n",
    );
    expect((await sandbox.run(["doctor"])).stdout).toContain(
      "every call starts Node: the resident process is not turned on in hooks.toml",
    );
    writeFileSync(toml, "[daemon]\nenabled = true\n");
    expect((await resident.claude.call("no")).code).toBe(2);
    await expect.poll(() => resident.pid).toBeDefined();
    const next = resident.pid ?? 0;
    expect((await sandbox.run(["uninstall"])).code).toBe(0);
    expect(existsSync(resident.files.folder)).toBe(false);
    await expect.poll(() => isRunning(next)).toBe(false);
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
    await expect.poll(() => resident.pid).toBeDefined();
    expect((await sandbox.run(["doctor"])).stdout).toContain(
      `the resident process ${resident.pid} answers calls`,
    );
  });
});
