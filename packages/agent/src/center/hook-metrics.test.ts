import { block, proceed } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { scriptedModel } from "../testing/index.ts";
import { createAgentCenter } from "./agent-center.ts";
import { HookMetrics } from "./hook-metrics.ts";

const completed = (durationMs: number) =>
  ({
    type: "hook:completed",
    event: "before_agent",
    hookId: "1",
    hookName: "guard",
    durationMs,
    error: undefined,
    reason: undefined,
    judging: false,
  }) as const;

describe("the metrics of a center's hooks", () => {
  test("count runs, refusals and failures of each hook, whichever agent listed it", async () => {
    const center = createAgentCenter({ report: () => undefined });
    center.registerModel("gpt-4", scriptedModel(["Hi!", "Hi!"]));
    for (const id of ["one", "two"]) {
      center.registerAgent({
        id,
        name: id,
        description: "",
        modelName: "gpt-4",
        instructions: "",
        preHookNames: ["guard"],
        postHookNames: ["guard", "logger"],
        streamHookNames: ["ticker"],
      });
    }
    center.registerPreHook({ name: "guard" }, ({ userMessage }) => {
      if (userMessage === "throw") throw new Error("broken");
      return userMessage === "" ? block("empty") : undefined;
    });
    center.registerPostHook({ name: "guard", when: "always" }, () => undefined);
    center.registerPostHook({ name: "logger", blocking: false }, () => Promise.reject(new Error("down")));
    center.registerStreamHook({ name: "ticker" }, () => undefined);
    center.hooks.on("before_llm", () => undefined, { name: "shared" });
    const say = (agentId: string, message: string) =>
      center.runAgent({ session: center.createSession(agentId), message });
    await say("one", "Hello!");
    await say("two", "Hello!");
    await say("two", "");
    await expect(say("one", "throw")).rejects.toThrow("broken");
    await center.waitForBackgroundHooks();

    const counts = center
      .hookMetrics()
      .map(({ name, event, runs, blocked, failures }) => [`${event} ${name}`, runs, blocked, failures]);
    expect(counts).toEqual([
      ["stream ticker", expect.any(Number), 0, 0],
      ["before_agent guard", 4, 1, 1],
      ["before_llm shared", 2, 0, 0],
      ["after_agent guard", 4, 0, 0],
      ["after_agent logger", 2, 0, 2],
    ]);
    for (const { totalMs, p50Ms, p95Ms } of center.hookMetrics()) {
      expect(p50Ms).toBeLessThanOrEqual(p95Ms);
      expect(p95Ms).toBeLessThanOrEqual(totalMs);
    }
    center.resetHookMetrics();
    expect(center.hookMetrics()).toEqual([]);
  });

  test("count one run of a hook that is called again, and the second judgement separately", async () => {
    const center = createAgentCenter();
    center.registerModel("gpt-4", scriptedModel(["Hi!", "Hi!"]));
    center.registerAgent({
      id: "one",
      name: "one",
      description: "",
      modelName: "gpt-4",
      instructions: "",
      preHookNames: ["guard", "counter", "rewriter"],
    });
    const judged: boolean[] = [];
    center.registerPreHook({ name: "guard" }, ({ judging }) => void judged.push(judging));
    let counted = 0;
    center.registerPreHook({ name: "counter", rejudge: false }, () => void counted++);
    center.registerPreHook({ name: "rewriter" }, ({ userMessage }) =>
      proceed({ message: `${userMessage} Please.` }),
    );
    for (const message of ["Hello!", "Bye!"])
      await center.runAgent({ session: center.createSession("one"), message });
    expect([judged, counted]).toEqual([[false, true, false, true], 2]);
    expect(center.hookMetrics().map(({ name, runs, rejudged }) => [name, runs, rejudged])).toEqual([
      ["guard", 2, 2],
      ["counter", 2, 0],
      ["rewriter", 2, 0],
    ]);
  });

  test("count a refusal, and a failure, in a second judgement as one", () => {
    const metrics = new HookMetrics();
    metrics.record(completed(1));
    metrics.record({ ...completed(2), judging: true });
    metrics.record({ ...completed(2), type: "hook:blocked", judging: true });
    metrics.record(completed(1));
    metrics.record({ ...completed(4), type: "hook:error", judging: true });
    expect(metrics.list()).toMatchObject([
      { runs: 2, rejudged: 2, blocked: 1, failures: 1, totalMs: 8, p95Ms: 1 },
    ]);
  });

  test("have percentiles by nearest rank, and a total of all", () => {
    const metrics = new HookMetrics();
    for (let ms = 100; ms >= 1; ms--) metrics.record(completed(ms));
    expect(metrics.list()).toEqual([
      {
        name: "guard",
        event: "before_agent",
        runs: 100,
        rejudged: 0,
        blocked: 0,
        failures: 0,
        totalMs: 5_050,
        p50Ms: 50,
        p95Ms: 95,
      },
    ]);
  });

  test("keep the latest thousand durations for those, and no more", () => {
    const metrics = new HookMetrics();
    for (let run = 0; run < 5_000; run++) metrics.record(completed(run < 4_000 ? 1_000 : 1));
    expect(metrics.list()).toMatchObject([{ runs: 5_000, p50Ms: 1, p95Ms: 1, totalMs: 4_001_000 }]);
  });

  test("are kept of the latest thousand hooks, and no more", () => {
    const metrics = new HookMetrics();
    for (let hook = 0; hook < 1_500; hook++) metrics.add(`hook ${hook}`, "before_tool", 1, false);
    const names = metrics.list().map(({ name }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([1_000, "hook 500", "hook 1499"]);
  });
});
