import { block, type EventName, type Payload, proceed } from "@tenterhook/protocol";
import { verdictFor } from "../answer/verdict.ts";
import type { DispatchOptions, RunOptions } from "../context/dispatch-options.ts";
import { type EffectsOf, loadEffects } from "../match/call-effects.ts";
import type { EventHooks } from "../plan/event-hooks.ts";
import { unknownEvent } from "../register/event-names.ts";
import type { Preparations } from "../register/preparations.ts";
import { Observers, type Report } from "../trace/observers.ts";
import { runCheck } from "./accept-answer.ts";
import { Background } from "./background.ts";
import { callHooks } from "./call-hooks.ts";
import { Dispatch } from "./dispatch.ts";
import { DispatchState } from "./dispatch-state.ts";

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
  { report, trace, effectsOf }: { readonly report?: Report; readonly trace?: boolean; readonly effectsOf?: EffectsOf | undefined },
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
