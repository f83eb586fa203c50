import { block, isBlocked, isStopped, type Outcome, proceed, stop } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { HookStack, type StackHook } from "./hook-stack.ts";

interface Execution {
  readonly step: number;
  readonly notes: readonly string[];
}

class Noting implements StackHook<Execution> {
  readonly #note: string;

  constructor(note: string) {
    this.#note = note;
  }

  handle(context: Execution, next: (context: Execution) => Outcome | Promise<Outcome>) {
    return next({ ...context, notes: [...context.notes, this.#note] });
  }
}

describe("a hook stack", () => {
  test("runs hooks by priority to the terminal, each passing its context on", async () => {
    const stack = new HookStack<Execution>()
      .with(new Noting("security"), { priority: 100 })
      .with(new Noting("logging"), { priority: -100 })
      .with(new Noting("metrics"));
    let reached: readonly string[] = [];
    const outcome = await stack.process({ step: 1, notes: [] }, (context) => {
      reached = context.notes;
      return proceed();
    });
    expect(reached).toEqual(["security", "metrics", "logging"]);
    expect([isBlocked(outcome), isStopped(outcome)]).toEqual([false, false]);
  });

  test("a hook that does not call next ends it, and the terminal is not reached", () => {
    const stack = new HookStack<Execution>()
      .with(() => block("no"), { priority: 1 })
      .with(() => stop("unreached"));
    const outcome = stack.process({ step: 1, notes: [] }, () => {
      throw new Error("the terminal was reached");
    });
    expect(outcome).toEqual(block("no"));
  });

  test("is a value: adding a hook makes another stack", () => {
    const empty = new HookStack<Execution>();
    const one = empty.with(() => stop("enough"));
    expect([empty.count(), one.count()]).toEqual([0, 1]);
    expect(empty.process({ step: 1, notes: [] }, () => proceed())).toEqual(proceed());
    expect(isStopped(one.process({ step: 1, notes: [] }, () => proceed()) as Outcome)).toBe(true);
  });

  test("refuses a second call of next, and names the hook", () => {
    function greedy(context: Execution, next: (context: Execution) => Outcome | Promise<Outcome>) {
      void next(context);
      return next(context);
    }
    const stack = new HookStack<Execution>().with(greedy);
    expect(() => stack.process({ step: 1, notes: [] }, () => proceed())).toThrow(
      /hook "greedy".*more than once/,
    );
  });

  test("says whether it is empty, and how many hooks it has", () => {
    const empty = new HookStack<Execution>();
    const two = empty.with(new Noting("a")).with(() => proceed());
    expect([empty.isEmpty(), empty.count()]).toEqual([true, 0]);
    expect([two.isEmpty(), two.count()]).toEqual([false, 2]);
  });

  test("takes several hooks at once, with and without a priority, and stays as it was", async () => {
    const one = new HookStack<Execution>().with(new Noting("one"));
    const calls = { handle: new Noting("function").handle };
    const all = one.withAll([
      new Noting("two"),
      { hook: new Noting("first"), priority: 10 },
      { hook: calls.handle.bind(new Noting("last")) },
    ]);
    let reached: readonly string[] = [];
    await all.process({ step: 1, notes: [] }, (context) => {
      reached = context.notes;
      return proceed();
    });
    expect(reached).toEqual(["first", "one", "two", "last"]);
    expect([one.count(), one.withAll([]).count()]).toEqual([1, 1]);
  });

  // "Unique ID for this hook registration"
  test("has an id for each hook, in the order in which they run, and no id twice", () => {
    function audit(context: Execution, next: (context: Execution) => Outcome | Promise<Outcome>) {
      return next(context);
    }
    const stack = new HookStack<Execution>().withAll([
      audit,
      { hook: new Noting("a"), priority: 100 },
      new Noting("b"),
      { handle: (context, next) => next(context) },
      (context, next) => next(context),
    ]);
    expect(stack.getHookIds()).toEqual(["Noting", "audit", "Noting 2", "hook", "hook 2"]);
    expect(new HookStack().getHookIds()).toEqual([]);
  });

  test("takes a hook that has a property hook itself for what it is", () => {
    const wrapper = { hook: new Noting("inner"), handle: () => block("the wrapper ran") };
    expect(
      new HookStack<Execution>().withAll([wrapper]).process({ step: 1, notes: [] }, () => proceed()),
    ).toEqual(block("the wrapper ran"));
  });

  test("refuses what is no hook", () => {
    for (const entry of [null, undefined, 5, {}, { hook: null }, { hook: {}, priority: 1 }])
      expect(() => new HookStack().withAll([entry as never]), String(entry)).toThrow(
        /a stack takes functions, or objects with handle/,
      );
    expect(() => new HookStack().withAll([{ hook: () => proceed(), priority: 0.5 }])).toThrow(
      /integer, not 0.5/,
    );
    expect(() => new HookStack().with({} as never)).toThrow(/handle/);
    expect(() => new HookStack().with(() => proceed(), { priority: Number.NaN })).toThrow(/integer/);
  });
});
