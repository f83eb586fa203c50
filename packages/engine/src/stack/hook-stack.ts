import { type Outcome, TenterhookError } from "@tenterhook/protocol";
import type { MaybePromise } from "../register/hook.ts";

/** Runs the hooks behind this one, and finally the terminal. */
export type StackNext<C, O = Outcome> = (context: C) => MaybePromise<O>;

/** A hook that wraps everything behind it; the hooks in front of it see what it returns. */
export interface StackHook<C, O = Outcome> {
  handle(context: C, next: StackNext<C, O>): MaybePromise<O>;
}

interface Layer<C, O> {
  readonly hook: StackHook<C, O>;
  readonly priority: number;
  readonly name: string;
}

/**
 * A stack of wrapping hooks, for use without the engine: no events, no timeouts, no traces. Stacks are values; `with`
 * returns a new one.
 */
export class HookStack<C, O = Outcome> {
  readonly #layers: readonly Layer<C, O>[];

  constructor(layers: readonly Layer<C, O>[] = []) {
    this.#layers = layers;
  }

  /** Adds a hook; higher priority is further out, ties in the order they were added. */
  with(
    hook: StackHook<C, O> | StackHook<C, O>["handle"],
    { priority = 0 }: { readonly priority?: number } = {},
  ): HookStack<C, O> {
    const layer = typeof hook === "function" ? { handle: hook } : hook;
    const name =
      (typeof hook === "function" ? hook.name : hook?.constructor?.name) || `hook ${this.#layers.length + 1}`;
    if (typeof layer?.handle !== "function") {
      throw new TenterhookError(
        "bad_hook",
        "a stack takes functions, or objects with handle(context, next).",
      );
    }
    if (!Number.isSafeInteger(priority)) {
      throw new TenterhookError("bad_priority", `the priority must be an integer, not ${String(priority)}.`, {
        hook: name,
      });
    }
    const lower = this.#layers.findIndex((other) => other.priority < priority);
    const position = lower < 0 ? this.#layers.length : lower;
    return new HookStack(this.#layers.toSpliced(position, 0, { hook: layer, priority, name }));
  }

  get size(): number {
    return this.#layers.length;
  }

  /** Runs the context through the stack to the terminal and back. Errors of hooks are thrown to the caller. */
  process(context: C, terminal: StackNext<C, O>): MaybePromise<O> {
    const enter = (index: number, current: C): MaybePromise<O> => {
      const layer = this.#layers[index];
      if (layer === undefined) return terminal(current);
      let called = false;
      return layer.hook.handle(current, (changed) => {
        if (called) {
          throw new TenterhookError("next_called_twice", "it called next() more than once.", {
            hook: layer.name,
            hint: "Keep the outcome of the first call.",
          });
        }
        called = true;
        return enter(index + 1, changed ?? current);
      });
    };
    return enter(0, context);
  }
}
