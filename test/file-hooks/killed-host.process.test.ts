import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "@tenterhook/test-support/is-alive";
import { expect, onTestFinished, test } from "vitest";
import { FileHooksSandbox } from "./file-hooks-sandbox.ts";

const HOST = `
  import { createHooks } from "@tenterhook/engine";
  import { FileHooks } from "@tenterhook/file-hooks";
  const hooks = createHooks();
  new FileHooks().attach(hooks);
  await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { command: "ls" }, toolUseId: "1" });
`;

test.each(["SIGKILL", "SIGTERM"] as const)(
  "the script of a hook does not outlive a host that gets %s",
  async (signal) => {
    const sandbox = new FileHooksSandbox();
    const pids = join(sandbox.root, "pids");
    // The script, and a process that it started.
    const script = `sleep 300 & echo $$ $! > '${pids}.new'; mv '${pids}.new' '${pids}'; wait`;
    sandbox.hook(sandbox.userHooks, "slow", {}, script);
    const host = spawn(process.execPath, ["--input-type=module", "-e", HOST], {
      cwd: import.meta.dirname,
      env: { PATH: process.env.PATH, HOME: sandbox.home },
      stdio: ["ignore", "ignore", "inherit"],
    });
    onTestFinished(() => void host.kill("SIGKILL"));
    await expect.poll(() => existsSync(pids)).toBe(true);
    const started = readFileSync(pids, "utf8").trim().split(" ").map(Number);
    expect(started.map(isAlive)).toEqual([true, true]);
    host.kill(signal);
    await expect.poll(() => started.map(isAlive)).toEqual([false, false]);
  },
);
