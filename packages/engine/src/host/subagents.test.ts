import { AsyncResource } from "node:async_hooks";
import { block, proceed, stop } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { callTool } from "./call-tool.ts";
import { endRun } from "./ending.ts";
import type { HostRun, RunInit } from "./run.ts";
import { asParent, findParent, startSubagent } from "./subagents.ts";
import { newRun as startTestRun } from "./testing/test-support.ts";

function newRun(init: Partial<RunInit> = {}, hooks = createHooks()): HostRun {
  return startTestRun(hooks, init);
}

describe("a run that is nested in another one", () => {
  test("has the bag, the session and the stop of its parent", () => {
    const parent = newRun();
    const child = newRun({ parent });
    expect(child.metadata).toBe(parent.metadata);
    expect(child.sessionId).toBe(parent.sessionId);
    const error = parent.stop(new Error("enough"), "a hook said so");
    expect(child.stopped).toMatchObject({ error, reason: "a hook said so" });
  });

  test("is aborted with the caller's signal of its parent, which its own abort does not stop", () => {
    const [outer, inner] = [new AbortController(), new AbortController()];
    const parent = newRun({ signal: outer.signal });
    const children = [newRun({ parent, signal: inner.signal }), newRun({ parent })];
    inner.abort(new Error("too slow"));
    expect([parent, ...children].map(({ stopped }) => stopped?.error.message)).toEqual([
      undefined,
      "too slow",
      undefined,
    ]);
    outer.abort(new Error("the user left"));
    expect(children[1]?.stopped?.error.message).toBe("the user left");
  });

  test("keeps the first stop, also an abort that was not read yet; the run above it has its own first one", () => {
    const [outer, inner] = [new AbortController(), new AbortController()];
    const parent = newRun({ signal: outer.signal });
    const child = newRun({ parent, signal: inner.signal });
    const left = new Error("the user left");
    inner.abort(left);
    expect(child.stop(new Error("enough"))).toBe(left);
    expect([child, parent].map((run) => run.stopped?.error.message)).toEqual(["the user left", "enough"]);
    outer.abort(new Error("too late"));
    expect(parent.stop(new Error("later still")).message).toBe("enough");
    const alone = newRun({ signal: inner.signal });
    expect(alone.stop(new Error("enough"), "a hook said so")).toBe(left);
    expect(alone.stopped).toMatchObject({ by: "caller", reason: "the user left" });
  });

  test("stops all runs above it, and those beside it, when a hook stops it", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => stop("enough"));
    const lead = newRun();
    const middle = newRun({ parent: lead });
    const [beside, child] = [newRun({ parent: middle }), newRun({ parent: middle }, hooks)];
    const call = { toolName: "Shell", toolInput: {}, toolUseId: "1" };
    await callTool(child, call, { execute: () => "ran" });
    for (const run of [lead, middle, beside, child]) {
      expect(run.stopped).toMatchObject({ by: "hook", reason: "enough" });
    }
  });

  test("is interrupted in its tool when its parent is stopped", async () => {
    const parent = newRun();
    const child = newRun({ parent });
    const call = { toolName: "Shell", toolInput: {}, toolUseId: "1" };
    const calling = callTool(child, call, {
      execute: () => {
        setImmediate(() => parent.stop(new Error("enough")));
        return new Promise(() => {});
      },
    });
    expect(await calling).toMatchObject({ type: "stopped", reason: "the run was stopped: enough" });
  });
});

describe("a delegation", () => {
  const delegation = { subagentName: "helper", subagentId: "1", taskDescription: "Look." };

  test("has the task as hooks changed it, and its text has what they added", async () => {
    const hooks = createHooks();
    hooks.on("subagent_start", () => proceed({ taskDescription: "Look again." }, { context: "It rains." }));
    expect(await startSubagent(newRun({}, hooks), delegation)).toEqual({
      type: "go_on",
      delegation: { ...delegation, taskDescription: "Look again." },
      text: "Look again.\n\n<hook_context>\nIt rains.\n</hook_context>",
    });
  });

  test.each([
    ["the run that delegates", {}],
    ["the subagent's own run", { delegation }],
  ])("that a hook refuses ends with subagent_stop, once, where %s fires it", async (_which, init) => {
    const hooks = createHooks();
    const stops: unknown[] = [];
    hooks.on("subagent_start", () => block("not now"));
    hooks.on(
      "subagent_stop",
      ({ stopReason, taskDescription }) => void stops.push([stopReason, taskDescription]),
    );
    const run = newRun(init, hooks);
    const start = await startSubagent(run, run.init.delegation ?? delegation);
    expect(start).toMatchObject({ type: "refused", reason: "not now", error: { code: "turn_refused" } });
    await endRun(run, { status: "stopped" });
    expect(stops).toEqual([["refused", "Look."]]);
  });

  test.each([
    ["the run that delegates", {}],
    ["the subagent's own run", { delegation }],
  ])(
    "that is stopped before it begins ends with subagent_stop, once, where %s fires it",
    async (_which, init) => {
      const hooks = createHooks();
      const fired: unknown[] = [];
      const caller = new AbortController();
      hooks.on("subagent_start", ({ taskDescription }) => {
        fired.push("subagent_start");
        if (taskDescription === "Look.") return stop("enough");
        caller.abort(new Error("enough"));
        return undefined;
      });
      hooks.on("subagent_stop", ({ stopReason }) => void fired.push(stopReason));
      for (const taskDescription of ["Look.", "Leave."]) {
        fired.length = 0;
        const given = { ...delegation, taskDescription };
        const own = "delegation" in init ? { delegation: given } : {};
        const run = newRun({ ...own, signal: caller.signal }, hooks);
        await expect(startSubagent(run, given)).rejects.toThrow("enough");
        await endRun(run, { status: "stopped" });
        expect(fired).toEqual(["subagent_start", "stopped"]);
      }
      fired.length = 0;
      const run = newRun({ ...init, signal: caller.signal }, hooks);
      await expect(startSubagent(run, run.init.delegation ?? delegation)).rejects.toThrow("enough");
      await endRun(run, { status: "stopped" });
      expect(fired).toEqual([]);
    },
  );
});

describe("the parent of a run", () => {
  test("is the run whose tool is executed, in each of the tools that are executed at the same time", async () => {
    const runs = [newRun(), newRun()];
    const found = runs.map((run) =>
      asParent(run, async () => {
        await new Promise(setImmediate);
        return findParent();
      }),
    );
    expect(findParent()).toBeUndefined();
    expect(await Promise.all(found)).toEqual(runs);
  });

  test("is known to what a tool has left running, until its run has ended", async () => {
    const parent = newRun();
    const lead = newRun();
    let findLater: () => HostRun | undefined = findParent;
    const leave = () => {
      const snapshot = Promise.resolve();
      findLater = bindToContext(findParent);
      return snapshot;
    };
    await asParent(lead, () => asParent(parent, leave));
    expect(findLater()).toBe(parent);
    await endRun(parent, { status: "completed" });
    expect(findLater()).toBe(lead);
    await endRun(lead, { status: "completed" });
    expect(findLater()).toBeUndefined();
  });

  test("is a run that was stopped, while its tool goes on: an agent that it starts then is stopped too", async () => {
    const parent = newRun();
    let next: () => void = () => {};
    const found = asParent(parent, async () => {
      await new Promise<void>((resolve) => {
        next = resolve;
      });
      return newRun({ parent: findParent() }).stopped?.error.message;
    });
    parent.stop(new Error("enough"));
    await endRun(parent, { status: "completed" });
    next();
    expect(await found).toBe("enough");
  });

  test("does not start the work of a value that is only like a promise", () => {
    let starts = 0;
    // biome-ignore lint/suspicious/noThenProperty: as queries of databases have it
    const query = { then: () => void starts++ };
    expect(asParent(newRun(), () => query)).toBe(query);
    expect(starts).toBe(0);
  });
});

function bindToContext<T>(operation: () => T): () => T {
  return AsyncResource.bind(operation);
}
