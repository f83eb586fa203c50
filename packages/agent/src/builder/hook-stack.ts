import { HookStack as EngineStack, type MaybePromise, type StackHook } from "@tenterhook/engine";
import type { HookContext } from "./contexts/hook-context.ts";
import type { Hook, HookNext } from "./hook.ts";
import type { HookOutcome } from "./hook-outcome.ts";

/** Hooks around a terminal of your own, without an agent. A value: `with` returns a new stack. */
export class HookStack {
  readonly #stack: EngineStack<HookContext>;

  constructor(stack = new EngineStack<HookContext>()) {
    this.#stack = stack;
  }

  /** Adds a hook; higher priority is further out, ties in the order they were added. */
  with(hook: Hook, options: { readonly priority?: number } = {}): HookStack {
    // The engine's stack hands outcomes on without reading them, so ours pass through it as they are.
    return new HookStack(this.#stack.with(hook as unknown as StackHook<HookContext>, options));
  }

  get size(): number {
    return this.#stack.size;
  }

  /** Runs the context through the hooks to the terminal and back: at once, unless one of them needs waiting for. */
  process(context: HookContext, terminal: HookNext): MaybePromise<HookOutcome> {
    const end = terminal as unknown as Parameters<EngineStack<HookContext>["process"]>[1];
    // What went in comes out: see above.
    return this.#stack.process(context, end) as unknown as MaybePromise<HookOutcome>;
  }
}
