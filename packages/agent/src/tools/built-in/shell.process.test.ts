import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TenterhookError } from "@tenterhook/protocol";
import { isAlive } from "@tenterhook/test-support/is-alive";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type ShellOptions, type ShellResult, shellTool } from "./shell.ts";

let workDir: string;
beforeEach(async () => {
  const made = temporaryFolder();
  workDir = made;
});

const never = new AbortController().signal;

function run(command: string, options: ShellOptions & { timeout_ms?: number } = {}): Promise<ShellResult> {
  const { timeout_ms, ...rest } = options;
  const input = { command, ...(timeout_ms !== undefined && { timeout_ms }) };
  return shellTool(rest).execute(input, { workDir, abortSignal: never });
}

/** Waits until a command has written a process's number there. */
function pidIn(file: string): Promise<number> {
  return vi.waitFor(async () => {
    const pid = Number((await readFile(join(workDir, file), "utf8")).trim());
    expect(pid).toBeGreaterThan(1);
    return pid;
  }, 60_000);
}

function ended(pid: number): Promise<void> {
  return expect.poll(() => isAlive(pid)).toBe(false);
}

describe("a command", () => {
  test("runs in the work folder, and what it prints is kept apart", async () => {
    const result = await run("pwd; echo err >&2");
    expect(result).toEqual({ exit_code: 0, stdout: `${workDir}\n`, stderr: "err\n" });
  });

  test("is read by a shell", async () => {
    expect((await run('for i in 1 2 3; do printf $i; done | tr 1-3 a-c && echo "$((1+1))"')).stdout).toBe(
      "abc2\n",
    );
  });

  test("that fails is a result", async () => {
    expect(await run("echo no >&2; exit 3")).toEqual({ exit_code: 3, stdout: "", stderr: "no\n" });
    expect((await run("no-such-program-anywhere")).exit_code).toBe(127);
  });

  test("that a signal ends is a result, with the exit code of a shell", async () => {
    expect(await run("kill -KILL $$")).toEqual({ exit_code: 137, signal: "SIGKILL", stdout: "", stderr: "" });
  });

  test("has no input to wait for", async () => {
    expect(await run("cat; echo done")).toMatchObject({ stdout: "done\n" });
  });

  test("that prints much is given by its beginning and its end", async () => {
    const { stdout, stderr } = await run("seq 1 100000; seq 1 9 >&2", { maxOutput: 20 });
    expect(stdout).toMatch(/^1\n2\n3\n4\n5\n\n… \(\d+ bytes left out here\) …\n99\n100000\n$/);
    expect(stderr).toBe("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  });

  test("runs in the tool's folder when it has one", async () => {
    const tool = shellTool({ workDir });
    const result = await tool.execute({ command: "pwd" }, { workDir: "/", abortSignal: never });
    expect(result.stdout).toBe(`${workDir}\n`);
  });

  test("does not see variables that look like secrets, unless they are allowed", async () => {
    vi.stubEnv("SHELL_TEST_TOKEN", "t0ken");
    vi.stubEnv("SHELL_TEST_PLAIN", "plain");
    onTestFinished(() => void vi.unstubAllEnvs());
    const command = 'echo "[$SHELL_TEST_TOKEN] [$SHELL_TEST_PLAIN]"';
    expect((await run(command)).stdout).toBe("[] [plain]\n");
    expect((await run(command, { env: ["SHELL_TEST_TOKEN"] })).stdout).toBe("[t0ken] [plain]\n");
  });
});

describe("a command is ended, with everything it started,", () => {
  const stubborn = `trap "" TERM; sh -c 'trap "" TERM; echo $$ > child; while :; do sleep 1; done' & echo working; wait`;

  test("when its time is up, and the model learns what it had printed", async () => {
    let timeout_ms = 1_000;
    const timedOut = () => run(stubborn, { timeout_ms }).catch((error: unknown) => error as TenterhookError);
    let error = await timedOut();
    const hasBegun = () => String(error).includes("working") && existsSync(join(workDir, "child"));
    // A machine under load may need more time to start both shells.
    while (!hasBegun() && timeout_ms < 60_000) {
      timeout_ms *= 4;
      error = await timedOut();
    }
    expect(error).toMatchObject({
      code: "tool_timeout",
      message: expect.stringContaining(`did not end within ${timeout_ms} ms, and was ended.`),
      hint: "The last it printed:\nworking",
    });
    await ended(await pidIn("child"));
  });

  test("at the tool's maximal time, even if the call asks for more", async () => {
    const result = run("sleep 60", { timeoutMs: 200, timeout_ms: 60_000 });
    await expect(result).rejects.toThrow("did not end within 200 ms, and was ended. It had printed nothing.");
  });

  test("when the call is cancelled", async () => {
    const controller = new AbortController();
    const result = shellTool().execute({ command: stubborn }, { workDir, abortSignal: controller.signal });
    const pid = await pidIn("child");
    controller.abort();
    await expect(result).rejects.toMatchObject({ code: "tool_failed" });
    await expect(result).rejects.toThrow("cancelled");
    await ended(pid);
  });

  test("when it prints without end", async () => {
    const result = run("echo $$ > pid; yes");
    await expect(result).rejects.toThrow("printed without end");
    await ended(await pidIn("pid"));
  });

  test("when it has exited and a child keeps its output open", async () => {
    expect((await run("sleep 60 & echo $! > left; echo done")).stdout).toBe("done\n");
    await ended(await pidIn("left"));
  });
});

describe("a command is not started", () => {
  test("when the call was cancelled before", async () => {
    const context = { workDir, abortSignal: AbortSignal.abort() };
    await expect(shellTool().execute({ command: "echo > ran" }, context)).rejects.toThrow("cancelled");
    expect(existsSync(join(workDir, "ran"))).toBe(false);
  });

  test("when there is no work folder, with that reason", async () => {
    const context = { workDir: join(workDir, "nowhere"), abortSignal: never };
    await expect(shellTool().execute({ command: "true" }, context)).rejects.toThrow(
      'nowhere" does not exist',
    );
  });

  test("when it has a NUL byte", async () => {
    await expect(run("echo \0")).rejects.toMatchObject({ code: "tool_failed" });
  });
});

test("a tool's timeout is longer than the command's, so that the command's own timeout is reported", () => {
  expect(shellTool({ timeoutMs: 1_000 }).timeoutMs).toBeGreaterThan(1_000);
  expect(shellTool({ timeoutMs: 2_147_483_647 }).timeoutMs).toBe(2_147_483_647);
});

test.each([
  [{ timeoutMs: 0 }, "bad_timeout"],
  [{ timeoutMs: Number.NaN }, "bad_timeout"],
  [{ timeoutMs: 2 ** 31 }, "bad_timeout"],
  [{ maxOutput: 0 }, "bad_agent"],
  [{ maxOutput: 1.5 }, "bad_agent"],
])("a tool is not made with %o", (options, code) => {
  expect(() => shellTool(options)).toThrow(expect.objectContaining({ code }));
});
