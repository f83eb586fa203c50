import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { AssignedRun } from "@tenterhook/protocol/runs";
import { isAlive } from "@tenterhook/test-support";
import { expect, onTestFinished, test } from "vitest";
import { CoordinatorDouble } from "./coordinator-double.ts";
import { RunnerSandbox, STUBBORN } from "./runner-sandbox.ts";

const PROGRAM = fileURLToPath(new URL("./programs/runner.mjs", import.meta.url));

/** A runner in a process of its own, with one run under way. */
async function busyRunner(agent: (sandbox: RunnerSandbox) => { command: string[] } | { module: string }) {
  const coordinator = await CoordinatorDouble.start();
  const sandbox = new RunnerSandbox(coordinator);
  const { url, token } = coordinator;
  const options = JSON.stringify({ url, token, dataDir: sandbox.dataDir });
  const child = spawn(process.execPath, [PROGRAM, options], {
    stdio: ["ignore", "pipe", "pipe"],
    env: sandbox.env,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const run = coordinator.offer(agent(sandbox));
  const pid = await coordinator.until(() => {
    const [line] = coordinator.eventsOf(run);
    return line && Number(/^on (\d+)$/.exec(String(line.data.text))?.[1]);
  });
  return { coordinator, sandbox, child, run, pid };
}

/** Sends a signal, and waits until the runner reports that it handles it. */
async function signalled(child: ChildProcess, signal: NodeJS.Signals, line: RegExp): Promise<void> {
  if (child.stderr === null) throw new Error("its standard error is piped");
  child.kill(signal);
  for await (const printed of createInterface({ input: child.stderr })) if (line.test(printed)) return;
}

const gone = (pid: number) => expect.poll(() => isAlive(pid), { interval: 10 }).toBe(false);

test.each(["SIGTERM", "SIGINT"] as const)("%s lets runs end, and then the process", async (signal) => {
  let open = async () => {};
  const { coordinator, child, run } = await busyRunner((sandbox) => {
    const gate = sandbox.gate();
    open = gate.open;
    return { command: gate.command };
  });
  const exited = once(child, "exit");
  await signalled(child, signal, /taking no more runs; 1 to end/);
  const late = coordinator.offer({ command: ["cat"] });
  await open();
  expect(await exited).toEqual([0, null]);
  expect((await coordinator.ending(run)).kind).toBe("completed");
  expect(coordinator.reports.some(({ runId }) => runId === late.run_id)).toBe(false);
});

test("a second signal ends the process at once, and the programs of its runs with it", async () => {
  const { coordinator, child, pid } = await busyRunner(() => ({ command: STUBBORN }));
  const exited = once(child, "exit");
  await signalled(child, "SIGTERM", /taking no more runs/);
  child.kill("SIGTERM");
  expect(await exited).toEqual([143, null]);
  await gone(pid);
  expect(coordinator.reports.map(({ kind }) => kind)).toEqual(["started"]);
});

test("a runner that replaces a killed one executes the next attempt of its run", async () => {
  const { coordinator, sandbox, child, run, pid } = await busyRunner((machine) => ({
    command: machine.gate().command,
  }));
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  await gone(pid);
  await sandbox.start();
  const again: AssignedRun = coordinator.offer({ command: ["cat"] }, { run_id: run.run_id, attempt: 2 });
  expect((await coordinator.ending(again)).body.lease_token).toBe(again.lease_token);
});

test("a command whose runner was killed is ended, also one that ignores signals", async () => {
  const { child, pid } = await busyRunner(() => ({ command: STUBBORN }));
  child.kill("SIGKILL");
  await gone(pid);
});

test("a module whose runner was killed ends by itself", async () => {
  const { child, pid } = await busyRunner((sandbox) => {
    const module = sandbox.write(
      join(sandbox.root, "waits.mjs"),
      `export default () => {
         console.log("on " + process.pid);
         setInterval(() => {}, 1_000);
         return new Promise(() => {});
       };`,
    );
    return { module };
  });
  child.kill("SIGKILL");
  await gone(pid);
});
