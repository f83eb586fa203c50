import type { EventName, Outcome, Payload, TenterhookError } from "@tenterhook/protocol";
import type { DispatchVerdict } from "../answer/verdict.ts";
import type { Trace, TraceEntry } from "./trace.ts";

/** What a dispatch has of itself when its trace is made. */
export interface EndedDispatch<E extends EventName> {
  readonly event: E;
  readonly payload: Payload<E>;
  readonly outcome: Outcome;
}

/** What is known of the hooks of a dispatch that has ended; `Dispatch` reads it when it is asked. */
export interface DispatchRecord {
  readonly verdict: DispatchVerdict | undefined;
  /** What the hooks added for the model, in order. */
  readonly added: readonly string[];
  readonly failures: readonly TenterhookError[];
  /** What hooks that are not enforced would have done, in order. */
  readonly notEnforced: readonly TraceEntry[];
  traceOf<E extends EventName>(ended: EndedDispatch<E>): Trace<E>;
}
