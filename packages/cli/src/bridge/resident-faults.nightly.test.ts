import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "@tenterhook/test-support/is-alive";
import { describe, expect, onTestFinished, test } from "vitest";
import { ended } from "../testing/command-sandbox.ts";
import { ResidentClaude } from "../testing/resident-claude.ts";
import { GuardSandbox, WaitingSandbox } from "../testing/resident-guard.ts";

const ON_ERROR = ["block", "continue"] as const;

/** Starts a process that listens on the socket's path, and stores all that it receives. It ends with the test. */
async function listenInPlace({ files }: ResidentClaude): Promise<{ received: () => string; pid: number }> {
  const received = join(files.folder, "..", "received");
  const program = `const [own, socket, received] = process.argv.slice(1);
    const fs = require("node:fs");
    fs.writeFileSync(received, "");
    require("node:net").createServer((connection) => {
      connection.on("error", () => undefined).on("data", (bytes) => fs.appendFileSync(received, bytes));
    }).listen(own, () => {
      fs.chmodSync(own, 0o600);
      fs.renameSync(own, socket);
      console.log("listens");
    });`;
  const child = spawn(process.execPath, ["-e", program, `${files.socket}-2`, files.socket, received], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return { received: () => readFileSync(received, "utf8"), pid: child.pid ?? 0 };
}

/** Replaces the resident process by one that takes connections and does nothing ever after. Returns its process. */
async function startHanging({ pid = 0, files, claude }: ResidentClaude): Promise<number> {
  process.kill(pid, "SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
  const hang = join(files.folder, "..", "hang.cjs");
  // Without a loop, which would slow down the tests beside it.
  const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)";
  writeFileSync(hang, `process.on("SIGUSR2", () => { console.log("hangs"); ${wait}; });`);
  const args = ["--require", hang, join(claude.bundle, "bridge.js"), "daemon", "--folder", files.folder];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  child.kill("SIGUSR2");
  await once(child.stdout, "data");
  return child.pid ?? 0;
}

/** Changes a file of the installed program. */
function replaceProgram({ claude }: ResidentClaude): void {
  const file = join(claude.bundle, "claude.js");
  writeFileSync(file, `${readFileSync(file, "utf8")}\n`);
}

/** What can be wrong before anything is sent; the cold bridge answers then. */
const FAULTS: Readonly<Record<string, (resident: ResidentClaude) => unknown>> = {
  "was killed, and has left its socket": async ({ pid = 0 }) => {
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isAlive(pid)).toBe(false);
  },
  "does not respond": ({ pid = 0 }) => void process.kill(pid, "SIGSTOP"),
  "is another process, which has taken the place of its socket": async (resident) => {
    const { received } = await listenInPlace(resident);
    onTestFinished(() => expect(received()).toBe(""));
  },
  "was started by an older version": replaceProgram,
  "has a folder that others may enter": ({ files }) => chmodSync(files.folder, 0o755),
  "has a folder that is a link now": ({ files }) => {
    renameSync(files.folder, `${files.folder}-2`);
    symlinkSync(`${files.folder}-2`, files.folder);
  },
  "has a folder below one that others may enter": ({ files }) => chmodSync(join(files.folder, ".."), 0o755),
  "has lost its folder": ({ files }) => rmSync(files.folder, { recursive: true }),
  "has lost its socket": ({ files }) => rmSync(files.socket),
  "has a file in place of its socket": ({ files }) => {
    rmSync(files.socket);
    writeFileSync(files.socket, "", { mode: 0o600 });
  },
  "has another process in the file about it": ({ files }) =>
    writeFileSync(files.about, readFileSync(files.about, "utf8").replace(/^\d+/, String(process.pid))),
  "has an empty file about it": ({ files }) => writeFileSync(files.about, ""),
};

describe.runIf(process.platform === "linux")("a call whose resident process", () => {
  test.each(Object.entries(FAULTS))("%s is answered by the cold bridge", async (_, fault) => {
    const sandbox = new GuardSandbox();
    const resident = await ResidentClaude.start(sandbox);
    const { pid = 0 } = resident;
    await fault(resident);
    // The first guard says on_error: block, the second on_error: continue.
    for (const word of ["no", "never"]) {
      const refused = { code: 2, stderr: `because of ${word}\n` };
      expect(await resident.claude.call(word, { MARK: word })).toMatchObject(refused);
      expect(sandbox.asked.mark).toBe(word);
      expect(sandbox.asked.parent).not.toBe(pid);
    }
  });

  test("was stopped ends it, and another one answers the next calls", async () => {
    const sandbox = new GuardSandbox();
    const resident = await ResidentClaude.start(sandbox);
    const { pid = 0 } = resident;
    process.kill(pid, "SIGSTOP");
    expect((await resident.claude.call("no")).code).toBe(2);
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await resident.ask("no")).code).toBe(2);
    expect(sandbox.asked.parent).toBe(resident.pid);
    expect(resident.pid).not.toBe(pid);
  });

  test("has another program than the installed one ends, and one of the installed program answers the next calls", async () => {
    const sandbox = new GuardSandbox();
    const resident = await ResidentClaude.start(sandbox);
    const { pid = 0 } = resident;
    replaceProgram(resident);
    expect((await resident.claude.call("no")).code).toBe(2);
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await resident.ask("no")).code).toBe(2);
    expect(sandbox.asked.parent).toBe(resident.pid);
    expect(resident.pid).not.toBe(pid);
  });

  test("hangs is replaced by the first call that has waited for it, and ended", async () => {
    const sandbox = new GuardSandbox();
    const resident = await ResidentClaude.start(sandbox);
    const pid = await startHanging(resident);
    const began = performance.now();
    expect((await resident.claude.call("no")).code).toBe(2);
    expect(sandbox.asked.parent).not.toBe(pid);
    await expect.poll(() => resident.pid).not.toBe(pid);
    expect((await resident.ask("no")).code).toBe(2);
    expect(sandbox.asked.parent).toBe(resident.pid);
    // It could not end itself in the time that it had for that.
    await expect.poll(() => isAlive(pid), { timeout: 90_000 }).toBe(false);
    expect(performance.now() - began).toBeGreaterThan(30_000);
    expect(resident.pid).toBeDefined();
  });

  test.each(["uninstall", "install claude"])("was stopped, or hangs, is ended by %s", async (line) => {
    const stopped = await ResidentClaude.start(new GuardSandbox());
    const hanging = await ResidentClaude.start(new GuardSandbox());
    const pids = [stopped.pid ?? 0, await startHanging(hanging)];
    process.kill(pids[0] ?? 0, "SIGSTOP");
    const runs = [stopped, hanging].map(({ claude }) => claude.sandbox.run(line.split(" ")));
    for (const run of runs) expect((await run).code).toBe(0);
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test.each(ON_ERROR)(
    "is killed while a guard with on_error: %s runs ends by it, and so does the guard",
    async (onError) => {
      const sandbox = new WaitingSandbox(onError);
      const resident = await ResidentClaude.start(sandbox);
      const { script, guard } = await sandbox.startWaiting(resident);
      process.kill(resident.pid ?? 0, "SIGKILL");
      expect(await ended(script)).toMatchObject(silent(onError));
      await expect.poll(() => isAlive(guard)).toBe(false);
      // A socket that no process listens on is left behind: the next call is cold, and starts another one.
      expect((await resident.claude.call("first")).code).toBe(0);
      await expect.poll(() => resident.pid).toBeDefined();
    },
  );

  test("hangs while a guard runs ends by on_error before the client's time is over", async () => {
    const calls = ON_ERROR.map(async (onError) => {
      const sandbox = new WaitingSandbox(onError);
      const resident = await ResidentClaude.start(sandbox);
      const { pid = 0 } = resident;
      const { script, guard } = await sandbox.startWaiting(resident, 10);
      process.kill(pid, "SIGSTOP");
      expect(await ended(script)).toMatchObject(silent(onError));
      process.kill(pid, "SIGKILL");
      await expect.poll(() => isAlive(guard)).toBe(false);
    });
    await Promise.all(calls);
  });
});

/** The end of a call whose event was sent, and whose answer did not come. */
function silent(onError: "block" | "continue") {
  const stderr = expect.stringContaining("its resident process did not give an answer");
  return { code: onError === "block" ? 2 : 0, stderr };
}
