import { isThenable, messageOf } from "@tenterhook/internal";
import type { EventName, Outcome } from "@tenterhook/protocol";

/** What a hook in the shadow would have done: its outcome, or how it failed. */
export type ShadowReport<E extends EventName = EventName> = {
  readonly event: E;
  /** The name of the handler, where it has one. */
  readonly hook?: string;
  /** True when it judged for the second time, because a later hook changed the value. */
  readonly judging: boolean;
} & (
  | { readonly outcome: Outcome; readonly error?: undefined }
  | { readonly error: unknown; readonly outcome?: undefined }
);

/** Functions that `shadow` made: hooks of them are not enforced. */
export const shadows = new WeakSet<object>();

/**
 * What a hook of `shadow` returned or threw. It is an answer of its own, so that it has no effect where another function calls the
 * hook and passes on what it returns.
 */
export class ShadowAnswer {
  readonly result: unknown;
  readonly #hook: string | undefined;
  readonly #report: (report: ShadowReport<never>) => unknown;

  constructor(result: unknown, hook: string | undefined, report: (report: ShadowReport<never>) => unknown) {
    this.result = result;
    this.#hook = hook;
    this.#report = report;
  }

  /** Calls the report; one that fails becomes a warning. */
  report(
    event: EventName,
    judging: boolean,
    what: { readonly outcome: Outcome } | { readonly error: unknown },
  ): void {
    const failed = (error: unknown): void => {
      process.emitWarning(`shadow: its report failed: ${messageOf(error)}`, "TenterhookWarning");
    };
    const named = this.#hook === undefined ? {} : { hook: this.#hook };
    const report = { event, ...named, judging, ...what };
    try {
      const answer = this.#report(report as ShadowReport<never>);
      // A report may be async all the same, and its rejection must not end the process.
      if (isThenable(answer)) Promise.resolve(answer).catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
