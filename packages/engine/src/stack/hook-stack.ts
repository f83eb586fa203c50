// Hooks around a function, without the engine.
import { formatValue, isPlainObject } from "@tenterhook/internal";
import { type Outcome, TenterhookError } from "@tenterhook/protocol";
import { checkKnownOptions, type MaybePromise } from "../register/hook.ts";

/** Runs the hooks behind this one, and finally the terminal. */
export type StackNext<C, O = Outcome> = (context: C) => MaybePromise<O>;

/** A hook that wraps everything behind it; the hooks in front of it see what it returns. */
export interface StackHook<C, O = Outcome> {
  handle(context: C, next: StackNext<C, O>): MaybePromise<O>;
}

/** What a stack takes as a hook: an object with `handle`, or the function alone. */
export type StackEntry<C, O = Outcome> = StackHook<C, O> | StackHook<C, O>["handle"];

/** A hook's position in a stack. */
export interface StackOptions {
  /** Higher is further out. Default 0. */
  readonly priority?: number;
}

interface PrioritisedEntry<C, O> extends StackOptions {
  readonly hook: StackEntry<C, O>;
}

/** How a stack calls one of its hooks; `id` is for errors. */
export type StackCall<C, O = Outcome> = (
  hook: StackHook<C, O>,
  context: C,
  next: StackNext<C, O>,
  id: string,
) => MaybePromise<O>;

interface Layer<C, O> {
  readonly hook: StackHook<C, O>;
  readonly priority: number;
  /** The name of its class or function, with a number where that is taken. */
  readonly id: string;
}

/**
 * A stack of wrapping hooks, for use without the engine: no events, no timeouts, no traces. Stacks are values; `with`
 * returns a new one.
 */
export class HookStack<C, O = Outcome> {
  readonly #layers: readonly Layer<C, O>[];
  readonly #call: StackCall<C, O>;

  /** `call` is for stacks whose hooks may return more than outcomes. */
  constructor(
    layers: readonly Layer<C, O>[] = [],
    call: StackCall<C, O> = (hook, context, next) => hook.handle(context, next),
  ) {
    this.#layers = layers;
    this.#call = call;
  }

  /** Adds a hook, with its priority or `{ priority }`; higher is further out, ties in the order they were added. */
  with(
    hook: StackEntry<C, O>,
    options: number | StackOptions = {},
    ...surplus: readonly never[]
  ): HookStack<C, O> {
    const layer = typeof hook === "function" ? { handle: hook } : hook;
    const id = this.#newId(typeof hook === "function" ? hook.name : hook?.constructor?.name);
    if (typeof layer?.handle !== "function") {
      const problem = "a stack takes functions, or objects with handle(context, next).";
      throw new TenterhookError("bad_hook", problem);
    }
    const priority = readPriority(options, surplus, id);
    const lower = this.#layers.findIndex((other) => other.priority < priority);
    const position = lower < 0 ? this.#layers.length : lower;
    return new HookStack(this.#layers.toSpliced(position, 0, { hook: layer, priority, id }), this.#call);
  }

  /** Adds hooks in their order, each alone or as `{ hook, priority }`. */
  withAll(hooks: Iterable<StackEntry<C, O> | PrioritisedEntry<C, O>>): HookStack<C, O> {
    let stack: HookStack<C, O> = this;
    for (const entry of hooks) {
      if (isPrioritised(entry)) {
        const { hook, ...options } = entry;
        stack = stack.with(hook, options);
      } else stack = stack.with(entry);
    }
    return stack;
  }

  isEmpty(): boolean {
    return this.#layers.length === 0;
  }

  count(): number {
    return this.#layers.length;
  }

  /** The ids of the hooks in the order in which they run: the names of their classes or functions, each made unique. */
  getHookIds(): readonly string[] {
    return this.#layers.map(({ id }) => id);
  }

  /** Runs the context through the stack to the terminal and back. Errors of hooks are thrown to the caller. */
  process(context: C, terminal: StackNext<C, O>): MaybePromise<O> {
    const enter = (index: number, current: C): MaybePromise<O> => {
      const layer = this.#layers[index];
      if (layer === undefined) return terminal(current);
      let called = false;
      const next: StackNext<C, O> = (changed) => {
        if (called) {
          throw new TenterhookError("next_called_twice", "it called next() more than once.", {
            hook: layer.id,
            hint: "Keep the outcome of the first call.",
          });
        }
        called = true;
        return enter(index + 1, changed ?? current);
      };
      return this.#call(layer.hook, current, next, layer.id);
    };
    return enter(0, context);
  }

  #newId(name: string | undefined): string {
    const base = name && name !== "Object" ? name : "hook";
    const ids = this.getHookIds();
    for (let number = 1; ; number++) {
      const id = number === 1 ? base : `${base} ${number}`;
      if (!ids.includes(id)) return id;
    }
  }
}

function readPriority(options: number | StackOptions, surplus: readonly unknown[], hook: string): number {
  const hint = "Write with(hook, 100) or with(hook, { priority: 100 }).";
  const wrong = (argument: string, value: unknown, what: string) =>
    new TenterhookError("bad_hook", `the ${argument} argument is ${formatValue(value)}, ${what}.`, {
      hook,
      hint,
    });
  if (surplus.length > 0) throw wrong("third", surplus[0], "but there are only two");
  const read: StackOptions = typeof options === "number" ? { priority: options } : options;
  if (!isPlainObject(read)) throw wrong("second", read, "which is neither a priority nor options");
  checkKnownOptions(read, ["priority"], { hook });
  const { priority = 0 }: StackOptions = read;
  if (Number.isSafeInteger(priority)) return priority;
  throw new TenterhookError("bad_priority", `the priority must be an integer, not ${String(priority)}.`, {
    hook,
    hint,
  });
}

/** A hook may itself have a property `hook`, so `handle` decides. */
function isPrioritised<C, O>(
  entry: StackEntry<C, O> | PrioritisedEntry<C, O>,
): entry is PrioritisedEntry<C, O> {
  return typeof entry === "object" && entry !== null && !("handle" in entry) && "hook" in entry;
}
