import {
  type Action,
  type EventName,
  type Immutable,
  type Outcome,
  type Payload,
  reasonOf,
  type TenterhookError,
} from "@tenterhook/protocol";
import type { Plan } from "../plan/plan.ts";
import type { Times } from "../plan/times.ts";
import { QuietTrace, quietEntries } from "../trace/quiet-trace.ts";
import type { Trace, TraceEntry } from "../trace/trace.ts";
import type { Verdict } from "./verdict.ts";

/** What the dispatcher knows when it has ended. */
export interface DispatchRecord {
  readonly value: { readonly original: unknown };
  readonly verdict: Verdict | undefined;
  readonly recorder: {
    readonly entries: readonly TraceEntry[];
    readonly added: readonly string[];
    readonly failures: readonly TenterhookError[];
  };
}

/** How a dispatch ended. */
export class Dispatch<E extends EventName> {
  readonly event: E;
  /** The event's fields after the hooks: use these, not what went in. */
  readonly payload: Payload<E>;
  readonly outcome: Outcome;
  // Not `#private`: test frameworks copy objects to show how they differ, and getters of a copy must work.
  private readonly plan: Plan | undefined;
  private readonly record: DispatchRecord | undefined;
  private readonly times: Times | undefined;

  constructor(
    event: E,
    payload: Payload<E>,
    outcome: Outcome,
    plan: Plan | undefined,
    record: DispatchRecord | undefined,
    times?: Times,
  ) {
    this.event = event;
    this.payload = payload;
    this.outcome = outcome;
    this.plan = plan;
    this.record = record;
    this.times = times;
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
    return this.record?.recorder.added ?? [];
  }

  /** Every hook that failed, whether or not that decided anything. */
  get failures(): readonly TenterhookError[] {
    return this.record?.recorder.failures ?? [];
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
    const { event, payload, outcome, action } = this;
    if (this.record === undefined && this.times !== undefined)
      return new QuietTrace(event, payload, outcome, this.plan, this.times);
    const decidedBy = this.hook;
    return {
      event,
      original: (this.record?.value.original ?? payload) as Immutable<Payload<E>>,
      final: payload as Immutable<Payload<E>>,
      outcome,
      action,
      ...(decidedBy !== undefined && { decidedBy }),
      entries: this.record?.recorder.entries ?? quietEntries(this.plan, undefined),
    };
  }
}
