import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "@tenterhook/test-support/is-alive";
import { expect, onTestFinished, test } from "vitest";
import { FileHooksSandbox } from "./file-hooks-sandbox.ts";

// It says when it has seen the script running: then the call that started the script has returned.
const HOST = `
  import { existsSync } from "node:fs";
  import { createHooks } from "@tenterhook/engine";
  import { FileHooks } from "@tenterhook/file-hooks";
  const hooks = createHooks();
  new FileHooks().attach(hooks);
  const timer = setInterval(() => {
    if (!existsSync(process.argv[1])) return;
    clearInterval(timer);
    process.stdout.write("running");
  }, 10);
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
    const host = spawn(process.execPath, ["--input-type=module", "-e", HOST, pids], {
      cwd: import.meta.dirname,
      env: { PATH: process.env.PATH, HOME: sandbox.home },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void host.kill("SIGKILL"));
    await once(host.stdout, "data");
    const started = readFileSync(pids, "utf8").trim().split(" ").map(Number);
    expect(started.map(isAlive)).toEqual([true, true]);
    host.kill(signal);
    await expect.poll(() => started.map(isAlive)).toEqual([false, false]);
  },
);
