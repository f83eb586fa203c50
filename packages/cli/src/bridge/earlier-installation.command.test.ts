import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { whenFinished } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";
import { InstalledClaude } from "../testing/installed-claude.ts";

const FILES = fileURLToPath(new URL("../testing/earlier-installation/", import.meta.url));
const GUARD = { fields: ["on_error: block"], trigger: "before_tool", script: "echo not here >&2; exit 2" };

/** An installation of an earlier version, which asks a process in the background before it starts Node. */
class EarlierInstallation {
  readonly sandbox = new CommandSandbox();
  readonly folder = join(this.sandbox.root, "run", "tenterhook", "key");
  claude!: InstalledClaude;
  resident!: ChildProcess;

  static async make(how = "ends"): Promise<EarlierInstallation> {
    const earlier = new EarlierInstallation();
    const { sandbox, folder } = earlier;
    sandbox.hook("guard", { ...GUARD, scope: "user" });
    sandbox.write(join(sandbox.userHooks, "hooks.toml"), "[daemon]\nenabled = true\n");
    earlier.claude = await InstalledClaude.install(sandbox);
    const { bundle, folder: installed } = earlier.claude;
    const script = readFileSync(join(FILES, "hook"), "utf8")
      .replaceAll("@NODE@", process.execPath)
      .replaceAll("@BRIDGE@", join(bundle, "bridge.js"))
      .replaceAll("@RESIDENT@", folder)
      .replaceAll("@HOME@", sandbox.home);
    writeFileSync(join(installed, "hook"), script);
    const record = JSON.parse(readFileSync(join(installed, "installed.json"), "utf8"));
    writeFileSync(join(installed, "installed.json"), JSON.stringify({ ...record, resident: folder }));
    mkdirSync(join(folder, ".."), { recursive: true, mode: 0o700 });
    const args = [join(FILES, "resident.mjs"), "daemon", "--folder", folder, how];
    earlier.resident = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    whenFinished(() => earlier.resident.kill("SIGKILL"));
    await once(earlier.resident.stdout as NodeJS.EventEmitter, "data");
    return earlier;
  }

  get script(): string {
    return this.sandbox.read(join(this.claude.folder, "hook"));
  }

  /** How its process ended. */
  async ended(): Promise<number | string | null> {
    const { exitCode, signalCode } = this.resident;
    if (exitCode !== null || signalCode !== null) return exitCode ?? signalCode;
    const [code, signal] = await once(this.resident, "exit");
    return code ?? signal;
  }
}

describe.runIf(process.platform === "linux")("an installation that has a process in the background", () => {
  test("is found by doctor, and install leaves neither its process nor its folder", async () => {
    const earlier = await EarlierInstallation.make();
    const { sandbox, claude } = earlier;
    const before = await sandbox.run(["doctor"]);
    expect(before.code).toBe(1);
    expect(before.stdout).toContain("an earlier version, which keeps a process in the background");
    expect(await claude.call("rm x")).toMatchObject({ code: 2, stderr: "not here\n" });

    expect((await sandbox.run(["install", "claude"])).code).toBe(0);
    expect(await earlier.ended()).toBe(0);
    expect(existsSync(earlier.folder)).toBe(false);
    expect(earlier.script).not.toContain("resident");
    expect(await claude.call("rm x")).toMatchObject({ code: 2, stderr: "not here\n" });
    const after = await sandbox.run(["doctor"]);
    expect(after.stdout).toContain("[daemon] has no effect");
    expect(after.stdout).toContain("1 finding.");
  });

  test("is removed by uninstall, with its process and its folder", async () => {
    const earlier = await EarlierInstallation.make();
    expect((await earlier.sandbox.run(["uninstall"])).code).toBe(0);
    expect(await earlier.ended()).toBe(0);
    const hook = join(earlier.claude.folder, "hook");
    expect([existsSync(earlier.folder), existsSync(hook)]).toEqual([false, false]);
  });

  test("is taken over when its process was stopped, and when it does not end", async () => {
    const [stopped, hanging] = [await EarlierInstallation.make(), await EarlierInstallation.make("hangs")];
    stopped.resident.kill("SIGSTOP");
    for (const { sandbox } of [stopped, hanging])
      expect((await sandbox.run(["install", "claude"])).code).toBe(0);
    expect([await stopped.ended(), await hanging.ended()]).toEqual([0, "SIGKILL"]);
    expect([existsSync(stopped.folder), existsSync(hanging.folder)]).toEqual([false, false]);
  });

  test("keeps a folder that others can change, and what runs there", async () => {
    const earlier = await EarlierInstallation.make();
    chmodSync(earlier.folder, 0o755);
    expect((await earlier.sandbox.run(["install", "claude"])).code).toBe(0);
    expect([existsSync(join(earlier.folder, "about")), earlier.resident.exitCode]).toEqual([true, null]);
  });
});

test("[daemon] in a hooks.toml changes nothing, and check names it", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { ...GUARD, scope: "user" });
  const file = sandbox.write(join(sandbox.userHooks, "hooks.toml"), "[daemon]\nenabled = 7\n");
  const claude = await InstalledClaude.install(sandbox);
  expect(await claude.call("rm x")).toMatchObject({ code: 2, stderr: "not here\n" });
  const { code, stdout } = await sandbox.run(["check"]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/hooks\.toml: warning: \[daemon\] has no effect/),
  ]);
  expect((await sandbox.onTerminal(["disable", "guard"])).code).toBe(0);
  expect(sandbox.read(file)).toContain("[daemon]");
});
