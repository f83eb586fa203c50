import { type Report, snapshot } from "@tenterhook/engine/host";
import { isInstanceOf, messageOf, readable } from "@tenterhook/internal";
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
    if (names.length === 0) return undefined;
    return (event) => {
      const copy = snapshot(event, (part) => isInstanceOf(part, Error));
      for (const name of names) {
        const running = this.#call(name, () => this.get(name)?.(context, copy));
        this.#pending.add(running);
        void running.then(() => this.#pending.delete(running));
      }
    };
  }

  /** How many have not ended. */
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

  /** Calls a hook at once and waits for its promise. Never rejects. */
  async #call(name: string, call: () => unknown): Promise<void> {
    const startedAt = performance.now();
    const ended = (failed: boolean) =>
      this.#metrics.add(name, "stream", performance.now() - startedAt, failed);
    try {
      await call();
      ended(false);
    } catch (error) {
      ended(true);
      const message = `the stream hook failed: ${messageOf(error)}.`;
      const failure = new TenterhookError("hook_threw", message, { hook: name, cause: readable(error) });
      // A reporter that fails must not end a run that the hook only observes.
      await new Promise((resolve) => resolve(this.#report(failure))).catch(() => undefined);
    }
  }
}
