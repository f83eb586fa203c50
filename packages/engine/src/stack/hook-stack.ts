import { type Outcome, TenterhookError } from "@tenterhook/protocol";
import type { MaybePromise } from "../register/hook.ts";

/** Goes on with the hooks further in, and at the end with the terminal. */
export type StackNext<C> = (context: C) => MaybePromise<Outcome>;

/** A hook that wraps everything behind it; what it returns is what the hooks in front of it see. */
export interface StackHook<C> {
  handle(context: C, next: StackNext<C>): MaybePromise<Outcome>;
}

interface Layer<C> {
  readonly hook: StackHook<C>;
  readonly priority: number;
  readonly name: string;
}

/**
 * A stack of wrapping hooks, for use without the engine: no events, no timeouts, no traces. Stacks are values; `with`
 * returns a new one.
 */
export class HookStack<C> {
  readonly #layers: readonly Layer<C>[];

  constructor(layers: readonly Layer<C>[] = []) {
    this.#layers = layers;
  }

  /** Adds a hook; higher priority is further out, ties in the order they were added. */
  with(
    hook: StackHook<C> | StackHook<C>["handle"],
    { priority = 0 }: { readonly priority?: number } = {},
  ): HookStack<C> {
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
    const place = lower < 0 ? this.#layers.length : lower;
    return new HookStack(this.#layers.toSpliced(place, 0, { hook: layer, priority, name }));
  }

  get size(): number {
    return this.#layers.length;
  }

  /** Runs the context through the stack to the terminal and back. What a hook throws, it throws. */
  process(context: C, terminal: StackNext<C>): MaybePromise<Outcome> {
    const enter = (index: number, current: C): MaybePromise<Outcome> => {
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
