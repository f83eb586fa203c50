import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "@tenterhook/test-support/is-alive";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createHooks } from "../hooks.ts";
import { type GateResult, type QualityGateOptions, qualityGate } from "./quality-gate.ts";

const STOPPING = { stopReason: "no_tool_calls" };

function gated(check: QualityGateOptions["check"], options: Omit<QualityGateOptions, "check"> = {}) {
  const hooks = createHooks({ report: () => {} });
  const unregister = qualityGate(hooks, { check, ...options });
  return { hooks, unregister, stops: (payload = STOPPING) => hooks.dispatch("before_stop", payload) };
}

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Waits until a command has written a process's number there. */
function pidIn(file: string): Promise<number> {
  return vi.waitFor(async () => {
    const pid = Number((await readFile(join(folder, file), "utf8")).trim());
    expect(pid).toBeGreaterThan(1);
    return pid;
  }, 60_000);
}

/** Waits until a process has ended, whether or not it has been reaped. */
function ended(pid: number): Promise<void> {
  return vi.waitFor(() => {
    expect(isAlive(pid)).toBe(false);
  }, 60_000);
}

const shell = (script: string): string[] => ["sh", "-c", script];
const node = (script: string, ...args: string[]): string[] => [process.execPath, "-e", script, ...args];

describe("a check that is a function", () => {
  test.each([
    [true, "go_on", undefined],
    [undefined, "go_on", undefined],
    [false, "hold", "quality-gate is not satisfied."],
    ["", "hold", "quality-gate is not satisfied."],
    ["write a test first", "hold", "write a test first"],
  ])("that returns %j, now or later: %s", async (verdict: GateResult, action, reason) => {
    for (const check of [() => verdict, async () => verdict]) {
      const stopped = await gated(check).stops();
      expect([stopped.action, stopped.reason]).toEqual([action, reason]);
    }
  });

  test.each([null, 0, {}])("that returns %j could not check it", async (verdict) => {
    const { action, failures } = await gated(() => verdict as never).stops();
    expect([action, failures[0]?.code]).toEqual(["release", "hook_threw"]);
  });

  test("is given the event", async () => {
    let seen: unknown;
    await gated((context) => {
      seen = context.payload;
    }).stops();
    expect(seen).toBe(STOPPING);
  });
});

describe("a check that is a command", () => {
  test("lets the agent stop when it exits with 0", async () => {
    expect((await gated({ command: shell("echo fine") }).stops()).action).toBe("go_on");
  });

  test("holds the agent when it exits otherwise, with what it printed as the reason", async () => {
    const script = "echo 1 test failed; printf '\\033[31mred\\033[0m\\n' >&2; exit 3";
    const { action, reason } = await gated({ command: shell(script) }, { name: "tests" }).stops();
    expect(action).toBe("hold");
    expect(reason).toContain("tests is not satisfied");
    expect(reason).toContain("exited with code 3");
    expect(reason).toContain("1 test failed");
    expect(reason).toContain("red");
    expect(reason).not.toContain("\u001b");
  });

  test("holds the agent when a signal ends it", async () => {
    const { action, reason } = await gated({ command: shell("kill -KILL $$") }).stops();
    expect(action).toBe("hold");
    expect(reason).toContain("was ended by SIGKILL. It printed nothing.");
  });

  test("is read by no shell", async () => {
    const script = "process.exit(process.argv[1] === '$(exit 1); *' ? 0 : 1)";
    expect((await gated({ command: node(script, "$(exit 1); *") }).stops()).action).toBe("go_on");
  });

  test("runs in the given folder, else in that of the event", async () => {
    const command = shell(`test "$(pwd)" = "${folder}"`);
    const { stops } = gated({ command });
    expect((await stops({ ...STOPPING, workDir: folder } as typeof STOPPING)).action).toBe("go_on");
    expect((await stops()).action).toBe("hold");
    const withFolder = gated({ command, cwd: folder });
    expect((await withFolder.stops({ ...STOPPING, workDir: "/" } as typeof STOPPING)).action).toBe("go_on");
  });

  test("keeps the end of an output that does not end", async () => {
    const script = "process.stdout.write('ü'.repeat(5_000_000) + 'last words', () => process.exit(1))";
    const { reason } = await gated({ command: node(script) }, { maxOutput: 1_001 }).stops();
    expect(reason).toContain("bytes before this");
    expect(reason).toMatch(/\nü+last words$/);
    expect(Buffer.byteLength(reason ?? "")).toBeLessThan(1_500);
  });

  test.each([
    [{ command: ["/no/such/program"] }, "/no/such/program"],
    [{ command: ["sh", "-c", "exit 0"], cwd: "/no/such/folder" }, "/no/such/folder"],
    [{ command: ["nul\0byte"] }, "cannot be started"],
  ])("that cannot be started is a failure and no pass: %j", async (check, named) => {
    const { action, failures } = await gated(check).stops();
    expect([action, failures[0]?.code]).toEqual(["release", "hook_threw"]);
    expect(failures[0]?.message).toContain(named);
  });
});

describe("a command that does not end", () => {
  /** A machine under load may need more time to start it. */
  async function timedOut(script: string, hasBegun: (reason: string | undefined) => boolean) {
    for (let timeoutMs = 1_000; ; timeoutMs *= 4) {
      const { action, reason } = await gated({ command: shell(script), timeoutMs }).stops();
      if (hasBegun(reason) || timeoutMs > 60_000) return { action, reason, timeoutMs };
    }
  }

  test("is ended with everything it started, though all of them ignore SIGTERM", async () => {
    const script = `trap "" TERM; sh -c 'echo $$ > "${folder}/child"; while :; do sleep 1; done' & echo working; wait`;
    const hasBegun = (reason = "") => reason.includes("working") && existsSync(join(folder, "child"));
    const { action, reason, timeoutMs } = await timedOut(script, hasBegun);
    expect(action).toBe("hold");
    expect(reason).toContain(`did not finish within ${timeoutMs} ms and was ended`);
    expect(reason).toContain("working");
    await ended(await pidIn("child"));
  });

  test("may still print after SIGTERM", async () => {
    const script = "trap 'echo tidied up; exit 0' TERM; echo begun; while :; do sleep 0.05; done";
    const { action, reason } = await timedOut(script, (reason = "") => reason.includes("begun"));
    expect(action).toBe("hold");
    expect(reason).toContain("tidied up");
  });

  test("is ended when the dispatch is cancelled", async () => {
    const controller = new AbortController();
    const { hooks } = gated({ command: shell(`echo $$ > "${folder}/pid"; exec sleep 60`) });
    const stopping = hooks.dispatch("before_stop", STOPPING, { signal: controller.signal });
    const pid = await pidIn("pid");
    controller.abort(new Error("the user left"));
    expect((await stopping).action).toBe("stop");
    await ended(pid);
  });
});

describe("a command that leaves a process behind which holds its output", () => {
  test("is not waited for, and what it left behind is ended", async () => {
    const { action } = await gated({ command: shell(`sleep 60 & echo $! > "${folder}/left"`) }).stops();
    expect(action).toBe("go_on");
    await ended(await pidIn("left"));
  });

  test("is not waited for even when they left its process group", async () => {
    const script = `
      const left = require("child_process").spawn("sleep", ["60"], { detached: true, stdio: "inherit" });
      require("fs").writeFileSync(process.argv[1], String(left.pid));
      console.log("one test failed");
      process.exit(1);`;
    const { action, reason } = await gated({ command: node(script, join(folder, "left")) }).stops();
    process.kill(await pidIn("left"), "SIGKILL");
    expect(action).toBe("hold");
    expect(reason).toContain("one test failed");
  });
});

describe("qualityGate", () => {
  const passes = (): boolean => true;

  test("can guard other events, and is removed by the function that it returns", async () => {
    const { hooks, unregister } = gated(() => "not yet", { events: ["before_stop", "subagent_stop"] });
    const { action } = await hooks.dispatch("subagent_stop", { subagentName: "a", taskDescription: "" });
    expect(action).toBe("hold");
    unregister();
    expect(hooks.list()).toEqual([]);
  });

  test.each([
    [{}, /options must be an object/],
    [{ check: { command: "npm test" } }, /command must be a list/],
    [{ check: { command: [] } }, /command must be a list/],
    [{ check: { command: ["a", 1] } }, /command must be a list/],
    [{ check: { command: ["a"], timeoutMs: 0 } }, /timeoutMs/],
    [{ check: { command: ["a"], timeout: 5 } }, /no option "timeout"/],
    [{ check: passes, maxOutput: 0 }, /maxOutput/],
    [{ check: passes, events: ["stop"] }, /no event "stop"/],
  ])("refuses %j when it is registered", (options, message) => {
    expect(() => qualityGate(createHooks(), options as QualityGateOptions)).toThrowError(message);
  });
});
