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
    expect([empty.size, one.size]).toEqual([0, 1]);
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

  test("refuses what is no hook", () => {
    expect(() => new HookStack().with({} as never)).toThrow(/handle/);
    expect(() => new HookStack().with(() => proceed(), { priority: Number.NaN })).toThrow(/integer/);
  });
});
