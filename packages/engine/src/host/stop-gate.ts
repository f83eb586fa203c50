import { type Payload, TenterhookError } from "@tenterhook/protocol";
import type { DispatchOptions } from "../context/dispatch-options.ts";
import type { Hooks } from "../hooks.ts";
import type { Dispatch } from "../run/dispatch-hooks.ts";

type StopEvent = "before_stop" | "subagent_stop";

/** How often and for how long hooks may keep an agent running. */
export interface StopGateOptions {
  /** How often hooks may hold the agent in one turn; `Infinity`: no limit. Default 3. Hosts let their users set it as `maxHolds`. */
  readonly maxBlocks?: number;
  /** The event that is dispatched. Default `before_stop`. */
  readonly event?: StopEvent;
}

/** What the host does when the agent wants to stop. */
export interface StopVerdict<E extends StopEvent> {
  readonly type: "stop" | "go_on";
  /** The agent's feedback when it goes on; else why the gate was not satisfied, if it was not. */
  readonly reason?: string;
  /** The agent stops although its gate did not let it: report it as an error, the turn has failed. */
  readonly unsatisfied?: TenterhookError;
  /** A hook ended the whole run instead of only letting the turn end. */
  readonly endsRun: boolean;
  readonly dispatch: Dispatch<E>;
}

/** Reasons to stop that no hook may override: a person refused, or a limit is reached. */
const FINAL = new Set(["tool_rejected", "max_steps", "aborted", "budget_exhausted"]);

const DEFAULT_MAX_BLOCKS = 3;

/**
 * Calls the hooks before an agent stops, for one turn. A block holds the agent, at most so many times; then the turn
 * ends as failed, because an agent that cannot satisfy its gate must neither loop for ever nor count as done.
 */
export class StopGate<E extends StopEvent = "before_stop"> {
  readonly #hooks: Hooks;
  readonly #event: E;
  readonly #maxBlocks: number;
  #blocks = 0;

  constructor(
    hooks: Hooks,
    { maxBlocks = DEFAULT_MAX_BLOCKS, event }: StopGateOptions & { readonly event?: E } = {},
  ) {
    const isCount = Number.isSafeInteger(maxBlocks) || maxBlocks === Number.POSITIVE_INFINITY;
    if (!isCount || maxBlocks < 0) {
      const problem = `maxBlocks must be a whole number of at least 0, or Infinity, not ${String(maxBlocks)}.`;
      throw new TenterhookError("bad_hook", problem);
    }
    this.#hooks = hooks;
    this.#event = event ?? ("before_stop" as E);
    this.#maxBlocks = maxBlocks;
  }

  /** Whether the agent may stop now. `stopHookActive` is set: it shows hooks that they held it before. */
  async ask(payload: Payload<E>, options?: DispatchOptions<E>): Promise<StopVerdict<E>> {
    const asked = { ...payload, stopHookActive: this.#blocks > 0 };
    Object.freeze(asked);
    const dispatch = await this.#hooks.dispatch(this.#event, asked, options);
    const { action, reason } = dispatch;
    if (action === "stop")
      return { type: "stop", endsRun: true, ...(reason !== undefined && { reason }), dispatch };
    if (action === "release") {
      return this.#unsatisfied(
        dispatch,
        `its gate could not check it: ${dispatch.error?.message ?? "a hook failed."}`,
      );
    }
    if (action !== "hold") return { type: "stop", endsRun: false, dispatch };
    const { stopReason } = payload as { stopReason?: string };
    if (stopReason !== undefined && FINAL.has(stopReason)) {
      return this.#unsatisfied(dispatch, `${reason} (not held: the agent stops because of ${stopReason})`);
    }
    if (this.#blocks >= this.#maxBlocks) {
      return this.#unsatisfied(
        dispatch,
        `${reason} (held ${this.#blocks} times already, which is the limit: the option maxHolds)`,
      );
    }
    this.#blocks++;
    return { type: "go_on", endsRun: false, ...(reason !== undefined && { reason }), dispatch };
  }

  #unsatisfied(dispatch: Dispatch<E>, reason: string): StopVerdict<E> {
    const problem = `the agent stopped without satisfying its gate: ${reason}`;
    const where = { hook: dispatch.hook, event: this.#event };
    const unsatisfied = new TenterhookError("gate_unsatisfied", problem, where);
    return { type: "stop", endsRun: false, reason, unsatisfied, dispatch };
  }
}
