import { isThenable, onAbort } from "@tenterhook/internal";
import type { Metadata, Outcome } from "@tenterhook/protocol";
import { textOf } from "../answer/failure.ts";
import type { RunOptions } from "./dispatch-options.ts";

/** What the hooks of one dispatch share. The metadata and the signal are only made when a hook reads them. */
export class HookRunContext {
  readonly options: RunOptions | undefined;
  readonly judging: boolean;
  readonly outcome: Outcome | undefined;
  #metadata: Metadata | undefined;
  #controller: AbortController | undefined;
  #abortReason: unknown;
  #unfollowHost: (() => void) | undefined;
  #isReleased = false;
  #listeners: Set<(reason: unknown) => void> | undefined;

  constructor(options: RunOptions | undefined, judging = false, outcome?: Outcome, metadata?: Metadata) {
    this.options = options;
    this.judging = judging;
    this.outcome = outcome;
    this.#metadata = metadata ?? options?.metadata;
  }

  get metadata(): Metadata {
    this.#metadata ??= newMetadata();
    return this.#metadata;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      if (this.#abortReason !== undefined) controller.abort(this.#abortReason);
      else this.#followHost();
    }
    return this.#controller.signal;
  }

  /** Calls a function when the signal would be aborted: the same at a tenth of its cost. */
  onAbort(listener: (reason: unknown) => void): () => void {
    if (this.#abortReason !== undefined) {
      notify(listener, this.#abortReason);
      return () => undefined;
    }
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    this.#followHost();
    return () => this.#listeners?.delete(listener);
  }

  /** Fires the signal of the hooks that hold it. */
  abort(reason: unknown): void {
    this.#abortReason = reason ?? new Error("aborted");
    this.#controller?.abort(this.#abortReason);
    for (const listener of this.#listeners ?? []) notify(listener, this.#abortReason);
    this.release();
  }

  #followHost(): void {
    const host = this.options?.signal;
    if (host === undefined || this.#isReleased || this.#unfollowHost !== undefined) return;
    this.#unfollowHost = onAbort(host, () => this.abort(host.reason));
  }

  /** Stops listening to the host's signal, for good; called when the dispatch is over. */
  release(): void {
    this.#isReleased = true;
    this.#unfollowHost?.();
    this.#unfollowHost = undefined;
  }

  /** The same metadata with a signal of its own. */
  fork(judging = this.judging): HookRunContext {
    return new HookRunContext(this.options, judging, this.outcome, this.metadata);
  }
}

/** Calls a listener of a hook, which may throw: the hook has failed already, and neither the dispatch nor Node must. */
function notify(listener: (reason: unknown) => unknown, reason: unknown): void {
  const failed = (error: unknown) =>
    process.emitWarning(`an abort listener of a hook failed: ${textOf(error)}`, "TenterhookWarning");
  try {
    const answer = listener(reason);
    if (isThenable(answer)) Promise.resolve(answer).catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** An object without a prototype, so that a key named `__proto__` or `constructor` is a key like any other. */
export function newMetadata(): Metadata {
  return Object.create(null) as Metadata;
}
