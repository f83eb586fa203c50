import type { EventName, HookDescriptor, Immutable, Payload } from "@tenterhook/protocol";
import type { DispatchRecord, EndedDispatch } from "./dispatch-record.ts";
import { QuietTrace, quietEntries } from "./quiet-trace.ts";
import type { Times } from "./times.ts";
import type { Trace } from "./trace.ts";

const NONE: readonly never[] = Object.freeze([]);

/** The record of dispatches in which every hook was called and none answered. Without times, one serves all of a plan. */
export class QuietRecord implements DispatchRecord {
  readonly verdict = undefined;
  readonly added = NONE;
  readonly failures = NONE;
  readonly notEnforced = NONE;
  private readonly hooks: readonly HookDescriptor[];
  private readonly times: Times | undefined;

  constructor(hooks: readonly HookDescriptor[], times?: Times) {
    this.hooks = hooks;
    this.times = times;
  }

  traceOf<E extends EventName>({ event, payload, outcome }: EndedDispatch<E>): Trace<E> {
    if (this.times !== undefined) return new QuietTrace(event, payload, outcome, this.hooks, this.times);
    const unchanged = payload as Immutable<Payload<E>>;
    const entries = quietEntries(this.hooks, undefined);
    return { event, original: unchanged, final: unchanged, outcome, action: "go_on", entries };
  }
}

/** The record of a dispatch for which there are no hooks. */
export const NO_HOOKS = new QuietRecord([]);
