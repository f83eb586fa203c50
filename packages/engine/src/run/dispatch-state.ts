import type { EventName, Outcome } from "@tenterhook/protocol";
import type { DispatchOptions } from "../context/dispatch-options.ts";
import type { Plan } from "../plan/plan.ts";
import type { Observers } from "../trace/observers.ts";
import type { DispatchValue } from "./dispatch-value.ts";
import type { HookCall, RawResult } from "./hook-call.ts";
import type { TraceRecorder } from "./trace-recorder.ts";

/** One dispatch, as far as the parts that call its hooks know it. */
export interface DispatchState<E extends EventName> {
  readonly plan: Plan;
  readonly observers: Observers;
  readonly options: DispatchOptions<E> | undefined;
  readonly recorder: TraceRecorder;
  readonly value: DispatchValue<E>;
  /** Present when it is decided how the dispatch ends. */
  readonly verdict: { readonly outcome: Outcome } | undefined;
  accept(at: number, call: HookCall, result: RawResult): Promise<void> | undefined;
  changeFor(at: number, call: HookCall, patch: object): Promise<void> | undefined;
  expire(call: HookCall): void;
  cancel(reason: unknown, call?: HookCall): void;
}
