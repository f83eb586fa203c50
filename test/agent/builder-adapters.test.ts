import {
  type AgentState,
  ContinuationCriteriaAdapter,
  type ContinuationCriterion,
  HookEvent,
  type StateProcessor,
  StateProcessorAdapter,
} from "@tenterhook/agent/builder";
import { describe, expect, test } from "vitest";
import { bash, ending, scriptedBuilder, userTexts } from "./scripted-builder.ts";

const BOTH = [HookEvent.BeforeStep, HookEvent.AfterStep] as const;

describe("StateProcessorAdapter", () => {
  class Counting implements StateProcessor {
    readonly seen: number[] = [];
    readonly #most: number;

    constructor(most = Number.POSITIVE_INFINITY) {
      this.#most = most;
    }

    canProcess(state: AgentState): boolean {
      return state.stepCount() <= this.#most;
    }

    process(state: AgentState): AgentState {
      const count = state.metadata().get("count", 0) + 1;
      this.seen.push(count);
      return state.withMetadata("count", count);
    }
  }

  test("runs a processor after every step, and the run continues with its state", async () => {
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    const processor = new Counting();
    const bag: Record<string, unknown> = {};
    await builder
      .addHook(BOTH, new StateProcessorAdapter(processor, { position: "after" }))
      .build()
      .run("Go", { metadata: bag });
    expect([processor.seen, bag]).toEqual([[1, 2], { count: 2 }]);
  });

  test("runs it before every step, where the model sees what it changed", async () => {
    const { builder, model } = scriptedBuilder(["done"]);
    const reminding: StateProcessor = {
      process: async (state) =>
        state.withMessages([...state.messages(), { role: "user", content: "be brief" }]),
    };
    await builder
      .addHook(BOTH, new StateProcessorAdapter(reminding, { position: "before" }))
      .build()
      .run("Go");
    expect(userTexts(model)).toEqual(["Go", "be brief"]);
  });

  test("leaves states alone that the processor cannot process", async () => {
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    const processor = new Counting(1);
    await builder.addHook(HookEvent.AfterStep, new StateProcessorAdapter(processor)).build().run("Go");
    expect(processor.seen).toEqual([1]);
  });

  test("on an event where it would never run is refused", () => {
    const { builder } = scriptedBuilder([]);
    const before = new StateProcessorAdapter(new Counting(), { position: "before" });
    expect(() => builder.addHook(HookEvent.AfterStep, before)).toThrow(/never run on AfterStep.*BeforeStep/);
  });
});

describe("ContinuationCriteriaAdapter", () => {
  const stepping = (decisions: readonly Awaited<ReturnType<ContinuationCriterion["evaluate"]>>[]) => {
    let asked = 0;
    const criterion: ContinuationCriterion = {
      evaluate: () => decisions[asked++] ?? { decision: "stop" },
    };
    return new ContinuationCriteriaAdapter(criterion);
  };

  test("an agent continues while the criterion requires it, with its reason, and then stops", async () => {
    const { builder, model } = scriptedBuilder(["one", "two"]);
    const hook = stepping([{ decision: "continue", reason: "one is not enough" }, { decision: "stop" }]);
    const run = await builder.addHook(HookEvent.Stop, hook).build().run("Go");
    expect([run.text, userTexts(model)]).toEqual(["two", ["Go", "one is not enough"]]);
  });

  test("a criterion that lets it stop lets others hold it", async () => {
    const { builder } = scriptedBuilder(["one", "two"]);
    const run = await builder
      .addHook(HookEvent.Stop, stepping([]), { priority: 1 })
      .addHook(HookEvent.Stop, stepping([{ decision: "continue" }]))
      .build()
      .run("Go");
    expect(run.text).toBe("two");
  });

  test("a criterion that forbids to continue ends the run, even if others want to continue", async () => {
    const { builder } = scriptedBuilder(["one", "two"]);
    const run = await builder
      .addHook(HookEvent.Stop, stepping([{ decision: "forbid", reason: "out of time" }]), { priority: 1 })
      .addHook(HookEvent.Stop, stepping([{ decision: "continue" }]))
      .build()
      .run("Go");
    expect(ending(run)).toEqual(["stopped", "stopped_by_hook", "out of time"]);
  });

  test("is given the state, and is refused on events that are no stop", async () => {
    const counts: number[] = [];
    const criterion: ContinuationCriterion = {
      evaluate: async (state) => {
        counts.push(state.stepCount());
        return { decision: "stop" };
      },
    };
    const { builder } = scriptedBuilder([bash("ls"), "done"]);
    const hook = new ContinuationCriteriaAdapter(criterion);
    await builder.addHook(HookEvent.Stop, hook).build().run("Go");
    expect(counts).toEqual([2]);
    expect(() => builder.addHook(HookEvent.AfterStep, hook)).toThrow(/would never run on AfterStep/);
  });
});
