import {
  type Action,
  type EventName,
  type Immutable,
  type Outcome,
  type Payload,
  reasonOf,
  type TenterhookError,
} from "@tenterhook/protocol";
import type { Trace, TraceEntry } from "../trace/trace.ts";
import type { Recorder } from "./recorder.ts";

/** How a dispatch ended. */
export class Dispatch<E extends EventName> {
  readonly event: E;
  /** The event's fields after the hooks: use these, not what went in. */
  readonly payload: Payload<E>;
  readonly outcome: Outcome;
  // Not `#private`: test frameworks copy objects to show how they differ, and getters of a copy must work.
  /** Absent where there was no hook to call. */
  private readonly record: Recorder | undefined;

  constructor(event: E, payload: Payload<E>, outcome: Outcome, record?: Recorder) {
    this.event = event;
    this.payload = payload;
    this.outcome = outcome;
    this.record = record;
  }

  /** What the host does now; the event's row decides. */
  get action(): Action {
    return this.record?.verdict?.action ?? "go_on";
  }

  /** Why, for the person and the model. */
  get reason(): string | undefined {
    return reasonOf(this.outcome);
  }

  /** The hook that decided, where one did. */
  get hook(): string | undefined {
    return this.record?.verdict?.hook;
  }

  /** The failure behind the verdict, when a hook refused by failing. */
  get error(): TenterhookError | undefined {
    return this.record?.verdict?.error;
  }

  /** What `skip` or `recover` put in the operation's place. */
  get result(): unknown {
    return this.outcome.type === "skip" || this.outcome.type === "recover" ? this.outcome.result : undefined;
  }

  /** What the hooks added for the model, in order. */
  get context(): readonly string[] {
    return this.record?.added ?? [];
  }

  /** Every hook that failed, whether or not that decided anything. */
  get failures(): readonly TenterhookError[] {
    return this.record?.failures ?? [];
  }

  /** What hooks that are not enforced would have done, in order. It had no effect on the dispatch. */
  get notEnforced(): readonly Readonly<TraceEntry>[] {
    return this.record?.notEnforced ?? [];
  }

  /** How it prints, in JSON and on a console. */
  toJSON(): object {
    const { event, action, outcome, reason, hook, payload, context } = this;
    return { event, action, outcome, reason, hook, payload, context };
  }

  [Symbol.for("nodejs.util.inspect.custom")](): object {
    return this.toJSON();
  }

  get trace(): Trace<E> {
    const { event, payload, outcome, record } = this;
    if (record !== undefined) return record.trace(payload, outcome);
    const unchanged = payload as Immutable<Payload<E>>;
    return { event, original: unchanged, final: unchanged, outcome, action: "go_on", entries: [] };
  }
}
