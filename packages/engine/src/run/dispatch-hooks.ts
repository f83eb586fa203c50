import {
  type Action,
  block,
  type EventName,
  type Immutable,
  type Outcome,
  type Payload,
  proceed,
  reasonOf,
  type TenterhookError,
} from "@tenterhook/protocol";
import { verdictFor } from "../answer/answer.ts";
import type { DispatchOptions, EffectsOf, RunOptions } from "../context/dispatch-options.ts";
import { loadEffects } from "../match/call-effects.ts";
import type { EventHooks } from "../plan/event-hooks.ts";
import { unknownEvent } from "../register/hook.ts";
import type { Preparations } from "../register/inherited.ts";
import { Observers, type Report, type Trace, type TraceEntry } from "../trace/trace.ts";
import { runCheck } from "./accept-answer.ts";
import { Background } from "./background.ts";
import { callHooks } from "./call-hooks.ts";
import { DispatchState, type Recorder } from "./dispatch-state.ts";

/**
 * One dispatch from its first hook to its end. It waits for the promises of hooks and of
 * sources of hooks, and for the host's checks of what was changed, and nowhere else.
 */
export async function dispatchHooks<E extends EventName>(
  runtime: Runtime,
  preparations: Preparations,
  events: ReadonlyMap<EventName, EventHooks>,
  event: E,
  payload: Payload<E>,
  options: DispatchOptions<E> | undefined,
): Promise<Dispatch<E>> {
  const preparing = preparations.run(event);
  if (preparing !== undefined) await preparing;
  const hooks = events.get(event);
  if (hooks === undefined) throw unknownEvent(event);
  if (hooks.isEmpty) return new Dispatch(event, payload, proceed());
  const plan = hooks.planFor(payload);
  if (plan.isEmpty) return new Dispatch(event, payload, proceed());

  if (plan.needsEffects) {
    const loading = loadEffects();
    if (loading !== undefined) await loading;
  }
  const state = new DispatchState(runtime, plan, payload, withEffectsOf(runtime, options));
  const calling = callHooks(state, "first", 0, plan.sync.length);
  if (calling !== undefined) await calling;
  if (state.isChanged && state.verdict === undefined) {
    // A guard that passed before a later change is called once more, unless its refusal would only be recorded.
    if (state.judgeAgainBefore > 0 && state.row.block.action !== "record") {
      state.startJudging();
      const judging = callHooks(state, "judging", 0, state.judgeAgainBefore);
      if (judging !== undefined) await judging;
    }
    if (state.options?.permit !== undefined) await permit(state);
  }
  state.close();
  if (plan.background.length > 0) runtime.background.start(state);
  const outcome = state.verdict?.outcome ?? proceed();
  const dispatch = new Dispatch(event, state.payload as Payload<E>, outcome, state.recorder);
  runtime.observers.trace(dispatch);
  return dispatch;
}

/** The options of a run, with what the set of hooks knows of tools. */
export function withEffectsOf<O extends RunOptions>(
  { effectsOf }: Pick<Runtime, "effectsOf">,
  options: O | undefined,
): O | undefined {
  if (effectsOf === undefined) return options;
  return { ...options, effectsOf: { ...effectsOf, ...options?.effectsOf } } as O;
}

/** The host's own permission check, on a value that it has not seen. */
async function permit<E extends EventName>(state: DispatchState<E>): Promise<void> {
  const { verdict, options, plan, payload } = state;
  if (verdict !== undefined || options?.permit === undefined) return;
  const refusal = await runCheck(() => options.permit?.(payload as Payload<E>));
  if (refusal !== undefined) state.verdict ??= verdictFor(plan.event, block(refusal));
}

/** What all dispatches of one set of hooks share. */
export interface Runtime {
  readonly observers: Observers;
  readonly background: Background;
  /** Whether entries are kept for the trace. */
  readonly tracing: boolean;
  /** What the program's tools do. */
  readonly effectsOf: EffectsOf | undefined;
}

/** The runtime of a set, under those of the sets that it inherits from. */
export function newRuntime(
  {
    report,
    trace,
    effectsOf,
  }: { readonly report?: Report; readonly trace?: boolean; readonly effectsOf?: EffectsOf | undefined },
  above: readonly Runtime[],
): Runtime {
  const known = [...above.map((each) => each.effectsOf), effectsOf].filter((each) => each !== undefined);
  return {
    observers: new Observers(
      report,
      above.map(({ observers }) => observers),
    ),
    background: new Background(above.map(({ background }) => background)),
    tracing: trace ?? above.every(({ tracing }) => tracing),
    effectsOf: known.length === 0 ? undefined : (Object.assign({}, ...known) as EffectsOf),
  };
}

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
