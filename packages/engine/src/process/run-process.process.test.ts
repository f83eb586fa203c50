import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { isAlive } from "@tenterhook/test-support/is-alive";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { OutputHead, OutputTail, runProcess } from "./run-process.ts";

test("a process gets its input, and its outputs are kept apart", async () => {
  const stdout = new OutputHead(100);
  const stderr = new OutputHead(100);
  const script = "cat; echo err >&2; exit 3";
  const options = { cwd: tmpdir(), input: "hello", timeoutMs: 10_000, stdout, stderr };
  const exit = await runProcess("sh", ["-c", script], options);
  expect(exit).toEqual({ code: 3, signal: null, timedOut: false, aborted: false, flooded: false });
  expect([String(stdout), String(stderr)]).toEqual(["hello", "err\n"]);
});

test("a process whose caller has aborted already is not started", async () => {
  const started = () => process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;
  const before = started();
  const running = runProcess("sleep", ["1"], {
    cwd: tmpdir(),
    timeoutMs: 10_000,
    stdout: new OutputHead(100),
    stderr: new OutputHead(100),
    onAbort(listener) {
      listener();
      return () => {};
    },
  });
  expect(started()).toBe(before);
  expect(await running).toMatchObject({ aborted: true, code: null });
});

test("a head keeps the beginning of an output and a tail its end", async () => {
  const head = new OutputHead(4);
  const tail = new OutputTail(4);
  await runProcess("sh", ["-c", "printf 123456789; printf abcdefghi >&2"], {
    cwd: tmpdir(),
    timeoutMs: 10_000,
    stdout: head,
    stderr: tail,
  });
  expect([String(head), head.isCut, String(tail)]).toEqual(["1234", true, "… (5 bytes before this)\nfghi"]);
});

test("a script that is still being written is started when it has been", async () => {
  const script = join(temporaryFolder(), "script");
  await writeFile(script, "#!/bin/sh\necho ready\n", { mode: 0o755 });
  const stdout = new OutputHead(100);
  const options = { cwd: tmpdir(), timeoutMs: 10_000, stdout, stderr: new OutputHead(100) };
  const writer = await open(script, "r+");
  const running = runProcess(script, [], options);
  const outcome = await Promise.race([running, pause(20, "tried again")]);
  await writer.close();
  expect(outcome).toBe("tried again");
  expect(await running).toMatchObject({ code: 0 });
  expect(String(stdout)).toBe("ready\n");

  const busy = await open(script, "r+");
  const given = await runProcess(script, [], options);
  await busy.close();
  expect(given.startError).toMatchObject({ code: "ETXTBSY" });
});

test("what cannot be started is reported, and nothing is thrown", async () => {
  const keep = new OutputHead(10);
  const options = { cwd: tmpdir(), timeoutMs: 10_000, stdout: keep, stderr: keep };
  expect((await runProcess("/no/such/program", [], options)).startError?.code).toBe("ENOENT");
  expect((await runProcess("a\0b", [], options)).startError).toBeInstanceOf(Error);
});

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test("a process that ended in time has not timed out, though this process was too busy to notice", async () => {
  const stdout = new OutputHead(100);
  const options = { cwd: tmpdir(), timeoutMs: 300, stdout, stderr: new OutputHead(100) };
  const running = runProcess("sh", ["-c", "echo no"], options);
  // Long enough for the process to end on a busy machine.
  busyFor(3_000);
  expect(await running).toMatchObject({ code: 0, timedOut: false });
  expect(stdout.toString()).toBe("no\n");
});

test("what a process printed counts, also when this process was too busy to read it in time", async () => {
  const cwd = temporaryFolder();
  const options = { cwd, timeoutMs: 10_000, stderr: new OutputHead(100) };
  const refusal = new OutputHead(100);
  // The second ends while the output of the first is read: its end is seen first, and then there is more to do.
  const reading = { add: () => busyFor(600) };
  const first = runProcess("sh", ["-c", "echo first"], { ...options, stdout: reading }).then(() =>
    busyFor(400),
  );
  const second = runProcess("sh", ["-c", "sleep 0.4; echo no"], { ...options, stdout: refusal });
  busyFor(150);
  await Promise.all([first, second]);
  expect(refusal.toString()).toBe("no\n");
});

test("a process that is left behind and holds the output is ended", async () => {
  const cwd = temporaryFolder();
  const keep = new OutputHead(100);
  const options = { cwd, timeoutMs: 10_000, stdout: keep, stderr: keep };
  expect((await runProcess("sh", ["-c", "sleep 60 & echo $! > pid; exit 0"], options)).code).toBe(0);
  const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test("a process that still runs when its host is killed is ended with it, also one that does not listen", async () => {
  const cwd = temporaryFolder();
  const host = `
    import { guardProcesses, OutputHead, runProcess } from ${JSON.stringify(new URL("../../dist/process/index.js", import.meta.url).href)};
    guardProcesses();
    const keep = new OutputHead(10);
    const options = { cwd: ".", timeoutMs: 60_000, stdout: keep, stderr: keep };
    await runProcess("true", [], options);
    const started = (name, trap) => runProcess("sh", ["-c", trap + "sleep 60 & echo $$ $! > " + name + ".new; mv " + name + ".new " + name + "; wait"], options);
    void started("polite", "");
    void started("stubborn", "trap '' TERM; ");
  `;
  const child = execFile(process.execPath, ["--input-type=module", "-e", host], { cwd });
  const files = ["polite", "stubborn"].map((name) => join(cwd, name));
  await expect.poll(() => files.map((file) => existsSync(file))).toEqual([true, true]);
  const pids = files.flatMap((file) => readFileSync(file, "utf8").trim().split(" ").map(Number));
  expect(pids.map(isAlive)).toEqual([true, true, true, true]);
  child.kill("SIGKILL");
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false, false, false]);
});

// Elsewhere there is no /proc, in which the guard looks for it.
test.runIf(process.platform === "linux")(
  "a process is ended with its host, also when the host is killed while it starts it",
  async () => {
    const cwd = temporaryFolder();
    // Each process kills its host at once, which is still busy with the long input.
    const host = `
      import { guardProcesses, OutputHead, runProcess } from ${JSON.stringify(new URL("../../dist/process/index.js", import.meta.url).href)};
      guardProcesses();
      const keep = new OutputHead(10);
      const options = { cwd: ".", timeoutMs: 60_000, stdout: keep, stderr: keep };
      const [name, first, env] = process.argv.slice(1);
      const script = first + "echo $$ > " + name + "; kill -KILL $PPID; sleep 300 & wait";
      void runProcess("sh", ["-c", script], { ...options, input: "é".repeat(1 << 25), ...JSON.parse(env) });
    `;
    // It is found by its standard streams, and a hook that has replaced them by a variable.
    const { PATH = "" } = process.env;
    const rounds = [
      ["", {}],
      ["", { env: { PATH } }],
      ["exec </dev/null; ", { env: { PATH, TENTERHOOK_SESSION_ID: "1" } }],
    ] as const;
    for (const [round, [first, options]] of rounds.entries()) {
      const name = `round-${round}`;
      const args = ["--input-type=module", "-e", host, name, first, JSON.stringify(options)];
      await expect(promisify(execFile)(process.execPath, args, { cwd })).rejects.toMatchObject({
        signal: "SIGKILL",
      });
      const pid = Number(readFileSync(join(cwd, name), "utf8"));
      await expect.poll(() => isAlive(pid)).toBe(false);
    }
  },
);

test("a host that guards its processes exits when it has nothing left to do", async () => {
  const host = `
    import { guardProcesses, OutputHead, runProcess } from ${JSON.stringify(new URL("../../dist/process/index.js", import.meta.url).href)};
    guardProcesses();
    const keep = new OutputHead(10);
    await runProcess("true", [], { cwd: ".", timeoutMs: 60_000, stdout: keep, stderr: keep });
  `;
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", host], { timeout: 60_000 });
});

test("a process that still runs when its host exits is ended with it", async () => {
  const cwd = temporaryFolder();
  const host = `
    import { OutputHead, runProcess } from ${JSON.stringify(new URL("../../dist/process/index.js", import.meta.url).href)};
    import { existsSync } from "node:fs";
    const keep = new OutputHead(10);
    void runProcess("sh", ["-c", "echo $$ > pid.new; mv pid.new pid; sleep 60"], { cwd: ".", timeoutMs: 60_000, stdout: keep, stderr: keep });
    setInterval(() => existsSync("pid") && process.exit(7), 5);
  `;
  const ended = promisify(execFile)(process.execPath, ["--input-type=module", "-e", host], { cwd });
  await expect(ended).rejects.toMatchObject({ code: 7 });
  const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
  await expect.poll(() => isAlive(pid)).toBe(false);
});
