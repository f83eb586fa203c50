import type { Report } from "@tenterhook/engine";
import { messageOf, TenterhookError } from "@tenterhook/protocol";
import type { RunEvent, RunListener } from "../loop/run-event.ts";
import type { HookContext } from "./hook-context.ts";
import type { HookMetrics } from "./hook-metrics.ts";
import { Registry } from "./registry.ts";

/** Sees every event of a run as it happens, on a frozen copy. What it returns means nothing; what it throws is reported. */
export type StreamHook = (context: HookContext, event: RunEvent) => void | Promise<void>;

/** Hooks that watch runs, by name. */
export class StreamHooks {
  readonly #hooks = new Registry<StreamHook>("stream hook");
  readonly #pending = new Set<Promise<void>>();
  readonly #report: Report;
  readonly #metrics: HookMetrics;

  constructor(report: Report, metrics: HookMetrics) {
    this.#report = report;
    this.#metrics = metrics;
  }

  register(name: string, hook: StreamHook): void {
    if (typeof hook !== "function") {
      throw new TenterhookError("bad_hook", "the stream hook must be a function.", { hook: name });
    }
    this.#hooks.register(name, hook);
  }

  has(name: string): boolean {
    return this.#hooks.get(name) !== undefined;
  }

  get names(): readonly string[] {
    return this.#hooks.names;
  }

  /** Who tells these hooks, in the order of the list, about one run; nobody when there are none. */
  listener(names: readonly string[], context: HookContext): RunListener | undefined {
    const hooks = names.flatMap((name) => {
      const hook = this.#hooks.get(name);
      return hook === undefined ? [] : [{ name, hook }];
    });
    if (hooks.length === 0) return undefined;
    return (event) => {
      let copy: RunEvent | undefined;
      for (const { name, hook } of hooks) {
        this.#tell(name, () => {
          copy ??= frozenCopy(event);
          return hook(context, copy);
        });
      }
    };
  }

  /** How many have returned a promise that has not settled. */
  get pending(): number {
    return this.#pending.size;
  }

  async drain(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** No longer waits for those that have not ended; they hold the signal of a run that is over. */
  forget(): void {
    this.#pending.clear();
  }

  #tell(name: string, work: () => unknown): void {
    const startedAt = performance.now();
    const over = (failed: boolean) =>
      this.#metrics.ran(name, "stream", performance.now() - startedAt, failed);
    const failed = (error: unknown) => {
      over(true);
      const said = `the stream hook failed: ${messageOf(error)}.`;
      this.#tellFailure(new TenterhookError("hook_threw", said, { hook: name, cause: error }));
    };
    try {
      const answer = work();
      if (!(answer instanceof Promise)) over(false);
      else this.#track(answer.then(() => over(false), failed));
    } catch (error) {
      failed(error);
    }
  }

  #tellFailure(failure: TenterhookError): void {
    try {
      this.#report(failure);
    } catch {
      // A reporter that throws must not end the run that somebody only watches.
    }
  }

  #track(ended: Promise<void>): void {
    this.#pending.add(ended);
    void ended.then(() => this.#pending.delete(ended));
  }
}

/** Plain data is copied all the way down, so that nobody who watches a tool call can change it; the rest is shared. */
function frozenCopy<T>(value: T, seen = new Map<object, object>()): T {
  if (typeof value !== "object" || value === null) return value;
  const isList = Array.isArray(value);
  if (!isList && Object.getPrototypeOf(value) !== Object.prototype) return value;
  const known = seen.get(value);
  if (known !== undefined) return known as T;
  const copy: object = isList ? [] : {};
  seen.set(value, copy);
  for (const [key, part] of Object.entries(value))
    Object.defineProperty(copy, key, { value: frozenCopy(part, seen), enumerable: true });
  return Object.freeze(copy) as T;
}
