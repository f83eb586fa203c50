import { type Report, snapshot } from "@tenterhook/engine/host";
import { isInstanceOf, isThenable, messageOf, readable } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { AgentEvent, RunListener } from "../run/agent-event.ts";
import type { HookContext } from "./hook-context.ts";
import type { HookMetrics } from "./hook-metrics.ts";
import { Registry } from "./registry.ts";

/** Gets every event of a run as it happens, as a frozen copy. Its return value is ignored; its errors are reported. */
export type StreamHook = (context: HookContext, event: AgentEvent) => void | Promise<void>;

/** Hooks that observe runs, by name. */
export class StreamHooks extends Registry<StreamHook> {
  readonly #pending = new Set<Promise<void>>();
  readonly #report: Report;
  readonly #metrics: HookMetrics;

  constructor(report: Report, metrics: HookMetrics) {
    super("stream hook");
    this.#report = report;
    this.#metrics = metrics;
  }

  override register(name: string, hook: StreamHook): void {
    if (typeof hook !== "function") {
      throw new TenterhookError("bad_hook", "the stream hook must be a function.", { hook: name });
    }
    super.register(name, hook);
  }

  /** Calls these hooks, in the order of the list, with the events of one run; `undefined` if there are none. */
  listener(names: readonly string[], context: HookContext): RunListener | undefined {
    const hooks = names.flatMap((name) => {
      const hook = this.get(name);
      return hook === undefined ? [] : [{ name, hook }];
    });
    if (hooks.length === 0) return undefined;
    return (event) => {
      const copy = snapshot(event, (part) => isInstanceOf(part, Error));
      for (const { name, hook } of hooks) this.#call(name, () => hook(context, copy));
    };
  }

  /** How many have returned a promise that has not settled. */
  get pending(): number {
    return this.#pending.size;
  }

  async drain(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** No longer waits for those that have not ended; the signal of their run has fired or the run has ended. */
  forget(): void {
    this.#pending.clear();
  }

  #call(name: string, call: () => unknown): void {
    const startedAt = performance.now();
    const ended = (failed: boolean) =>
      this.#metrics.add(name, "stream", performance.now() - startedAt, failed);
    const failed = (error: unknown) => {
      ended(true);
      const message = `the stream hook failed: ${messageOf(error)}.`;
      this.#reportFailure(new TenterhookError("hook_threw", message, { hook: name, cause: readable(error) }));
    };
    try {
      const answer = call();
      if (!isThenable(answer)) {
        ended(false);
        return;
      }
      const settled = Promise.resolve(answer).then(() => ended(false), failed);
      this.#pending.add(settled);
      void settled.then(() => this.#pending.delete(settled));
    } catch (error) {
      failed(error);
    }
  }

  #reportFailure(failure: TenterhookError): void {
    // A reporter that fails must not end a run that the hook only observes.
    try {
      const answer: unknown = this.#report(failure);
      if (isThenable(answer)) Promise.resolve(answer).catch(() => undefined);
    } catch {}
  }
}
