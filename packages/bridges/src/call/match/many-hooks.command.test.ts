import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { threadTimeMs } from "../../../../engine/src/match/thread-time.ts";
import { BridgeSandbox } from "../../testing/bridge-sandbox.ts";
import { readPlan } from "./plan-file.ts";

const BASH = "claude/PreToolUse.Bash";
const MANY = 10_000;

// Ten minutes after the hooks were written, which takes a while: a plan is not stored in the moment of a change.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_000 }));
afterEach(() => void vi.useRealTimers());

/** A project that brings more folders, or files, beside its hooks than anyone has. */
function crowd(sandbox: BridgeSandbox, kind: "folders" | "files"): string {
  const hooks = join(sandbox.project, ".agents", "hooks");
  mkdirSync(hooks, { recursive: true });
  for (let at = 0; at < MANY; at++) {
    const path = join(hooks, `h${at}`);
    if (kind === "files") writeFileSync(path, "");
    else {
      mkdirSync(path);
      writeFileSync(
        join(path, "HOOK.md"),
        `---\nname: h${at}\ndescription: d\ntrigger: after_tool\naction: proceed\n---\n`,
      );
    }
  }
  return hooks;
}

/** The best of several, by the processor's time: the machine may be busy. */
function shortest(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const begun = threadTimeMs();
    work();
    return threadTimeMs() - begun;
  });
  return Math.min(...times);
}

test.each(["folders", "files"] as const)(
  `a project with ${MANY} %s among its hooks costs a call less than to list and stat them, and disarms no guard of the user`,
  async (kind) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("guard", { fields: ["matcher: { pattern: FORBIDDEN }", "action: block", "reason: no"] });
    // The first call records the guard, which a plan depends on.
    await sandbox.send(BASH, { tool_use_id: "0" });
    const hooks = crowd(sandbox, kind);
    await sandbox.send(BASH, { tool_use_id: "1" });
    const locations = [findLocations(sandbox.project, { HOME: sandbox.home })];
    expect(readPlan(locations)).toBeDefined();
    const bare = shortest(() => {
      for (const name of readdirSync(hooks))
        statSync(join(hooks, name, ...(kind === "files" ? [] : ["HOOK.md"])), { throwIfNoEntry: false });
    });
    expect(shortest(() => readPlan(locations))).toBeLessThan(bare);

    const forbidden = { tool_input: { command: "FORBIDDEN" } };
    expect(await sandbox.send(BASH, { tool_use_id: "2", ...forbidden })).toMatchObject({ exit: 2 });
    // The plan is made anew, and the guard is still asked.
    rmSync(join(hooks, "h7"), { recursive: true });
    expect(readPlan(locations)).toBeUndefined();
    expect(await sandbox.send(BASH, { tool_use_id: "3", ...forbidden })).toMatchObject({ exit: 2 });
  },
);

test("a HOOK.md that is written, changed in place, replaced or removed makes the plan anew, and so does its folder", async () => {
  const sandbox = new BridgeSandbox();
  const file = (name: string) => join(sandbox.home, ".config", "agents", "hooks", name, "HOOK.md");
  const hook = (reason: string) => sandbox.hook("guard", { fields: ["action: block", `reason: ${reason}`] });
  let calls = 0;
  const answer = async () => (await sandbox.send(BASH, { tool_use_id: `${++calls}` })).stderr.trim();
  mkdirSync(join(sandbox.home, ".config", "agents", "hooks", "guard"), { recursive: true });
  expect(await answer()).toBe("");
  hook("one");
  expect(await answer()).toBe("one");
  writeFileSync(
    file("guard"),
    "---\nname: guard\ndescription: d\ntrigger: before_tool\naction: block\nreason: two\n---\n",
  );
  expect(await answer()).toBe("two");
  rmSync(file("guard"));
  expect(await answer()).toBe("");
  hook("three");
  expect(await answer()).toBe("three");
  rmSync(join(file("guard"), ".."), { recursive: true });
  expect(await answer()).toBe("");
});

test("what is wrong with a hook's file is reported once a session, by a plan that is kept too", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("broken", { fields: ["on_error: perhaps"], script: "exit 0" });
  const isReported = async (session_id: string, tool_use_id: string) =>
    (await sandbox.send(BASH, { session_id, tool_use_id })).stdout.includes("on_error");
  expect(await isReported("first", "1")).toBe(true);
  expect(readPlan([findLocations(sandbox.project, { HOME: sandbox.home })])).toBeDefined();
  expect(await isReported("first", "2")).toBe(false);
  expect(await isReported("second", "3")).toBe(true);
  expect(await isReported("second", "4")).toBe(false);
});
