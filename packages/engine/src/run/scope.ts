import type { EventName, Metadata, Outcome, Payload } from "@tenterhook/protocol";
import type { Approver } from "./approval.ts";

/** What a host says once for a whole run. */
export interface RunOptions {
  /** The run's bag; a dispatch without one gets its own. */
  readonly metadata?: Metadata | undefined;
  /** Cancels the dispatch: hooks are told, and it ends as `stop`. */
  readonly signal?: AbortSignal | undefined;
  /** Decides when a hook says `ask`; without one, asking blocks. */
  readonly approve?: Approver | undefined;
}

/** What a host may say about one dispatch. */
export interface DispatchOptions<E extends EventName = EventName> extends RunOptions {
  /** Checks a value that a hook changed; what it returns, or throws, is what is wrong with it. */
  validate?(payload: Payload<E>): string | undefined | Promise<string | undefined>;
  /** The host's own permission check, asked again when the final value is not the original; returns a refusal. */
  permit?(payload: Payload<E>): string | undefined | Promise<string | undefined>;
}

/** What the hooks of one dispatch share. The bag and the signal are only made when somebody asks for them. */
export class Scope {
  readonly options: RunOptions | undefined;
  readonly judging: boolean;
  readonly outcome: Outcome | undefined;
  #metadata: Metadata | undefined;
  #controller: AbortController | undefined;
  #abortedWith: unknown;
  #follow: (() => void) | undefined;
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
      if (this.#abortedWith !== undefined) controller.abort(this.#abortedWith);
      else this.#followHost();
    }
    return this.#controller.signal;
  }

  /** Calls a function when the signal would be aborted: the same at a tenth of its price. */
  onAbort(listener: (reason: unknown) => void): () => void {
    if (this.#abortedWith !== undefined) {
      listener(this.#abortedWith);
      return () => undefined;
    }
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    this.#followHost();
    return () => this.#listeners?.delete(listener);
  }

  /** Tells the hooks that hold this scope's signal to give up. */
  abort(reason: unknown): void {
    this.#abortedWith = reason ?? new Error("aborted");
    this.#controller?.abort(this.#abortedWith);
    for (const listener of this.#listeners ?? []) listener(this.#abortedWith);
    this.release();
  }

  #followHost(): void {
    const host = this.options?.signal;
    if (host === undefined || this.#follow !== undefined) return;
    if (host.aborted) {
      this.abort(host.reason);
      return;
    }
    this.#follow = () => this.abort(host.reason);
    host.addEventListener("abort", this.#follow, { once: true });
  }

  /** Stops following the host's signal; called when the dispatch is over. */
  release(): void {
    if (this.#follow === undefined) return;
    this.options?.signal?.removeEventListener("abort", this.#follow);
    this.#follow = undefined;
  }

  /** A scope with the same bag and a signal of its own. */
  fork(
    change: { readonly judging?: boolean; readonly outcome?: Outcome; readonly metadata?: Metadata } = {},
  ): Scope {
    return new Scope(
      this.options,
      change.judging ?? this.judging,
      change.outcome ?? this.outcome,
      change.metadata ?? this.metadata,
    );
  }
}

/** A bag without a prototype, so that a key named `__proto__` or `constructor` is a key like any other. */
export function newMetadata(): Metadata {
  return Object.create(null) as Metadata;
}
