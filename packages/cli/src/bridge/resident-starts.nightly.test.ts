import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findDaemons } from "@tenterhook/test-support/end-daemons";
import { isAlive } from "@tenterhook/test-support/is-alive";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, onTestFinished, test } from "vitest";
import { ended } from "../testing/command-sandbox.ts";
import { ResidentClaude } from "../testing/resident-claude.ts";
import { GuardSandbox } from "../testing/resident-guard.ts";
import { BRIDGE, RunningDaemon } from "../testing/running-daemon.ts";
import { IS_ROOT, isRefused, unshare } from "../testing/unshare.ts";

const OTHER_USER = 4321;

/** What a call can be in that has fewer rights than the user's other processes. */
const SANDBOXES: Readonly<Record<string, readonly string[]>> = {
  "no new privileges": ["setpriv", "--no-new-privs"],
  "a user namespace": unshare(["--user", "--map-root-user"]),
};

/** Whether a call has begun to start a resident process. Its lock is there until it listens. */
function hasStarted({ files }: ResidentClaude): boolean {
  return existsSync(files.lock) || findDaemons(files.folder).length > 0;
}

const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

describe.runIf(process.platform === "linux")("the start of a resident process", () => {
  test("is one of a hundred cold calls at once, and a hundred calls at once get the answers to their own", async () => {
    const sandbox = new GuardSandbox();
    const resident = await ResidentClaude.install(sandbox);
    const marks = Array.from({ length: 100 }, (_, at) => `mark ${at}`);
    const callAll = () => Promise.all(marks.map((MARK) => resident.claude.call("no", { MARK })));
    const expected = marks.map((mark) => ({ code: 2, stderr: `because of ${mark}\n` }));
    expect(await callAll()).toMatchObject(expected);
    // A call that has waited too long, on a machine under load, starts another one, which ends if the first one responds.
    const hasOne = () => {
      const [pid, ...others] = findDaemons(resident.files.folder);
      return pid !== undefined && pid === resident.pid && others.length === 0;
    };
    await expect.poll(hasOne).toBe(true);
    expect(await callAll()).toMatchObject(expected);
    await expect.poll(hasOne).toBe(true);
  });

  test("is not prevented by the lock of a process that was killed before it had started one", async () => {
    const resident = await ResidentClaude.start(new GuardSandbox());
    const { pid = 0, files } = resident;
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isAlive(pid)).toBe(false);
    writeFileSync(files.lock, "");
    await resident.claude.call("yes");
    // Another process may be about to start it.
    expect(findDaemons(files.folder)).toEqual([]);
    utimesSync(files.lock, AN_HOUR_AGO, AN_HOUR_AGO);
    await resident.claude.call("yes");
    await resident.claude.call("yes");
    await expect.poll(() => resident.pid).toBeDefined();
    expect(existsSync(files.lock)).toBe(false);
  });

  test.each(["umask 0077; ", "ulimit -f 100000; "])(
    "by a caller with %sleaves ordinary callers to the cold bridge for a few calls only",
    async (before) => {
      const sandbox = new GuardSandbox();
      const resident = await ResidentClaude.install(sandbox);
      await resident.claude.call("yes", {}, before);
      await expect.poll(() => resident.pid).toBeDefined();
      const first = resident.pid;
      do expect((await resident.claude.call("no")).code).toBe(2);
      while (resident.pid === first);
      expect((await resident.ask("no")).code).toBe(2);
      expect(sandbox.asked.parent).toBe(resident.pid);
    },
  );

  test("makes a folder and files that the script accepts, whatever the umask of the first caller was", async () => {
    const folder = join(temporaryFolder(), "run", "key");
    const line = [process.execPath, BRIDGE, "daemon", "--folder", folder];
    const daemon = spawn("/bin/sh", ["-c", 'umask 0377; exec "$@"', "sh", ...line], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void daemon.kill("SIGKILL"));
    await once(daemon.stdout, "data");
    const modes = [join(folder, ".."), folder, join(folder, "socket"), join(folder, "about")].map((path) =>
      (statSync(path).mode & 0o7777).toString(8),
    );
    expect(modes).toEqual(["700", "700", "600", "600"]);
  });

  test.each(Object.entries(SANDBOXES))(
    "is not done by a call with %s, because it would answer calls from outside",
    async (_, words) => {
      if (isRefused(words)) return;
      const sandbox = new GuardSandbox();
      const resident = await ResidentClaude.install(sandbox);
      const [program = "", ...args] = [...words, "/bin/sh", "-c", `exec ${resident.claude.command()}`];
      const child = spawn(program, args, { cwd: sandbox.project, env: sandbox.env() });
      child.stdin.end(resident.claude.payload("no"));
      expect((await ended(child)).code).toBe(2);
      expect(hasStarted(resident)).toBe(false);
      expect((await resident.claude.call("no")).code).toBe(2);
      await expect.poll(() => resident.pid).toBeDefined();
    },
  );

  test("is not done where the state folder is another user's, or not writable", async () => {
    const sandbox = new GuardSandbox();
    const resident = await ResidentClaude.install(sandbox);
    // Everything is writable for root, who alone can give a folder away.
    if (IS_ROOT) chownSync(sandbox.state, OTHER_USER, OTHER_USER);
    else chmodSync(sandbox.state, 0o500);
    expect((await resident.claude.call("no")).code).toBe(2);
    expect(hasStarted(resident)).toBe(false);
    if (IS_ROOT) chownSync(sandbox.state, 0, 0);
    else chmodSync(sandbox.state, 0o700);
    expect((await resident.claude.call("no")).code).toBe(2);
    await expect.poll(() => resident.pid).toBeDefined();
  });

  test("is undone when no call has come for the given time", async () => {
    const daemon = await RunningDaemon.start("--idle", "0.2");
    expect(await new Promise((resolve) => daemon.process.once("exit", resolve))).toBe(0);
    expect([daemon.files.socket, daemon.files.about].filter(existsSync)).toEqual([]);
  });
});
