import { mkdirSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { OutputHead } from "./output-head.ts";
import { keepSpareProcess, type ProcessExit, type ProcessOptions, runProcess } from "./run-process.ts";

keepSpareProcess("/usr/bin/perl");

/** Runs a process while another one is ready, and returns what it printed too. */
async function run(
  command: string,
  args: readonly string[] = [],
  options: Partial<ProcessOptions> = {},
): Promise<ProcessExit & { readonly printed: string }> {
  const keep = new OutputHead(10_000);
  const all = { cwd: tmpdir(), timeoutMs: 30_000, stdout: keep, stderr: keep };
  await runProcess("true", [], all);
  // It is started in the next tick.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const exit = await runProcess(command, args, { ...all, ...options });
  return { ...exit, printed: String(keep) };
}

test("a process that was ready is the next one, with its input, its folder and its variables", async () => {
  const cwd = temporaryFolder();
  const options = { cwd, input: "input", env: { PATH: "/usr/bin:/bin", NAME: "value" } };
  expect(await run("sh", ["-c", 'cat; echo " $NAME $PWD"; exit 2'], options)).toMatchObject({
    code: 2,
    printed: `input value ${cwd}\n`,
  });
});

test("what cannot be started is reported as without one that is ready", async () => {
  const cwd = temporaryFolder();
  const folder = join(cwd, "folder");
  mkdirSync(folder);
  expect((await run("/no/such/program")).startError?.code).toBe("ENOENT");
  expect((await run(folder)).startError?.code).toBe("EACCES");
  expect((await run("true", [], { cwd: join(cwd, "gone") })).startError?.code).toBe("ENOENT");
  expect((await run("a\0b")).startError).toBeInstanceOf(Error);
  expect((await run("true", ["a\0b"])).startError).toBeInstanceOf(Error);
  expect((await run("true", [], { env: { "A\0B": "c" } })).startError).toBeInstanceOf(Error);
});

test("a script that is still being written is started when it has been", async () => {
  const script = join(temporaryFolder(), "script");
  writeFileSync(script, "#!/bin/sh\necho ready\n", { mode: 0o755 });
  const writer = await open(script, "r+");
  const running = run(script);
  setTimeout(() => void writer.close(), 50);
  expect(await running).toMatchObject({ code: 0, printed: "ready\n" });
});

test("one that is ready is ended at its timeout, and when it is cancelled", async () => {
  expect(await run("sleep", ["60"], { timeoutMs: 100 })).toMatchObject({ timedOut: true });
  let cancel = (): void => undefined;
  const running = run("sh", ["-c", "echo begun; exec sleep 60"], {
    stdout: { add: () => cancel() },
    onAbort(listener) {
      cancel = listener;
      return () => undefined;
    },
  });
  expect(await running).toMatchObject({ aborted: true });
});

test("many at once all run", async () => {
  const codes = await Promise.all(Array.from({ length: 20 }, (_, at) => run("sh", ["-c", `exit ${at}`])));
  expect(codes.map(({ code }) => code)).toEqual(Array.from({ length: 20 }, (_, at) => at));
});
