import type { MaybePromise } from "@tenterhook/engine";
import type { HookContext } from "../contexts/hook-context.ts";
import { StopHookContext } from "../contexts/stop-hook-context.ts";
import type { AgentState } from "../data/agent-state.ts";
import type { Hook, HookNext } from "../hook.ts";
import { HookEvent } from "../hook-event.ts";
import { HookOutcome } from "../hook-outcome.ts";
import { whenThere } from "../maybe-promise.ts";

/** What a criterion thinks of an agent that wants to stop. */
export interface Continuation {
  /** `continue`: it must go on; `stop`: it may stop; `forbid`: it must stop, whatever others say. */
  readonly decision: "continue" | "stop" | "forbid";
  /** For `continue`, what the agent is told. */
  readonly reason?: string | undefined;
}

/** Something that says whether an agent should go on. It may throw, which fails the hook. */
export interface ContinuationCriterion {
  evaluate(state: AgentState): MaybePromise<Continuation>;
}

/** A continuation criterion as a hook on an agent, or a subagent, that is about to stop. */
export class ContinuationCriteriaAdapter implements Hook {
  readonly events: readonly HookEvent[] = [HookEvent.Stop, HookEvent.SubagentStop];
  readonly #criterion: ContinuationCriterion;

  constructor(criterion: ContinuationCriterion) {
    this.#criterion = criterion;
  }

  handle(context: HookContext, next: HookNext): MaybePromise<HookOutcome> {
    if (!(context instanceof StopHookContext)) return next(context);
    return whenThere(this.#criterion.evaluate(context.state()), ({ decision, reason }) => {
      switch (decision) {
        case "continue":
          return HookOutcome.block(reason ?? "a criterion wants the agent to go on");
        case "forbid":
          return HookOutcome.stop(reason ?? "a criterion forbids the agent to go on");
        case "stop":
          return next(context);
      }
    });
  }
}
