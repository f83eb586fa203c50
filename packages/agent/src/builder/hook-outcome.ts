import { messageOf } from "@tenterhook/internal";
import { block, type Outcome, type OutcomeType, reasonOf, stop, TenterhookError } from "@tenterhook/protocol";
import { OUTCOME_TYPES } from "@tenterhook/protocol/internal";
import { contextFromJSON, type HookContext } from "./contexts.ts";

/** An outcome as plain data. */
export interface OutcomeJSON {
  readonly type: OutcomeType;
  readonly reason?: string;
  /** The context to proceed with; for an outcome of the engine, the text that it adds for the model. */
  readonly context?: object | string | null | undefined;
  readonly patch?: object | undefined;
  readonly result?: unknown;
}

/** A hook's answer. The event's row in the table defines what `block` and `stop` mean there. */
export class HookOutcome {
  /** None: it proceeds, with the context if there is one. */
  readonly #outcome: Outcome | undefined;
  readonly #context: HookContext | undefined;

  private constructor(outcome: Outcome | undefined, context?: HookContext) {
    this.#outcome = outcome;
    this.#context = context;
  }

  /** No objection; with a changed copy of the context, proceed with that. */
  static proceed(context?: HookContext): HookOutcome {
    return new HookOutcome(undefined, context);
  }

  /** Prevents this one action; the agent continues. */
  static block(reason: string): HookOutcome {
    return new HookOutcome(block(reason));
  }

  /** Ends the whole run. */
  static stop(reason: string): HookOutcome {
    return new HookOutcome(stop(reason));
  }

  /** An outcome of the engine, which may also be `skip`, `ask` or `recover`. */
  static of(outcome: Outcome): HookOutcome {
    if (!OUTCOME_TYPES.includes(outcome?.type)) {
      throw new TenterhookError("bad_outcome", `this is not an outcome: ${messageOf(outcome)}.`, {
        hint: "Return a HookOutcome; null is for PreToolUse only.",
      });
    }
    return new HookOutcome(outcome);
  }

  /** Reads what `toJSON` returned; throws `bad_outcome` for anything else. */
  static fromJSON(json: unknown): HookOutcome {
    const { type, reason, context } = (json ?? {}) as Partial<OutcomeJSON>;
    if (type === "proceed" && typeof context === "object")
      return HookOutcome.proceed(context === null ? undefined : contextFromJSON(context));
    if ((type === "block" || type === "stop" || type === "ask") && typeof reason !== "string") {
      throw new TenterhookError("bad_outcome", `this ${type} has no reason: ${messageOf(json)}.`);
    }
    return HookOutcome.of(json as Outcome);
  }

  /** As plain data: the type, the reason, and the context to proceed with, or the engine's other fields. */
  toJSON(): OutcomeJSON {
    const context = this.#context?.toJSON();
    return { type: "proceed", ...this.#outcome, ...(context !== undefined && { context }) };
  }

  type(): OutcomeType {
    return this.#outcome?.type ?? "proceed";
  }

  isProceed(): boolean {
    return this.type() === "proceed";
  }

  isBlocked(): boolean {
    return this.type() === "block";
  }

  isStopped(): boolean {
    return this.type() === "stop";
  }

  /** Why, for the person and the model; `undefined` when it proceeds. */
  reason(): string | undefined {
    return this.#outcome && reasonOf(this.#outcome);
  }

  /** The context to proceed with, if there is one. */
  context(): HookContext | undefined {
    return this.#context;
  }

  /** The engine's outcome behind this one. A middleware that returns the one of `next` has not decided anything itself. */
  engineOutcome(): Outcome | undefined {
    return this.#outcome;
  }
}
