import {
  messageOf,
  OUTCOME_TYPES,
  type Outcome,
  type OutcomeType,
  reasonOf,
  TenterhookError,
} from "@tenterhook/protocol";
import { contextFromJSON } from "./contexts/context-from-json.ts";
import type { HookContext } from "./contexts/hook-context.ts";

/** An outcome as plain data. */
export interface OutcomeJSON {
  readonly type: OutcomeType;
  readonly reason?: string;
  /** The context to go on with; of an engine's outcome, the text that it adds for the model. */
  readonly context?: object | string | null | undefined;
  readonly patch?: object | undefined;
  readonly result?: unknown;
}

/** What a hook wants to happen next. What `block` and `stop` mean at an event, the event's row says. */
export class HookOutcome {
  readonly #type: OutcomeType;
  readonly #reason: string | undefined;
  readonly #context: HookContext | undefined;
  readonly #engineOutcome: Outcome | undefined;

  private constructor(
    type: OutcomeType,
    said: {
      readonly reason?: string | undefined;
      readonly context?: HookContext | undefined;
      readonly engineOutcome?: Outcome;
    },
  ) {
    this.#type = type;
    this.#reason = said.reason;
    this.#context = said.context;
    this.#engineOutcome = said.engineOutcome;
  }

  /** No objection; with a changed copy of the context, go on with that. */
  static proceed(context?: HookContext): HookOutcome {
    return new HookOutcome("proceed", { context });
  }

  /** Prevents this one action; the agent goes on. */
  static block(reason: string): HookOutcome {
    return new HookOutcome("block", { reason });
  }

  /** Ends the whole run. */
  static stop(reason: string): HookOutcome {
    return new HookOutcome("stop", { reason });
  }

  /** How the hooks further in ended, which may also be in one of the engine's own ways: `skip`, `ask`, `recover`. */
  static of(engineOutcome: Outcome): HookOutcome {
    if (!OUTCOME_TYPES.includes(engineOutcome?.type)) {
      throw new TenterhookError("bad_outcome", `this is no outcome: ${messageOf(engineOutcome)}.`);
    }
    return new HookOutcome(engineOutcome.type, { reason: reasonOf(engineOutcome), engineOutcome });
  }

  /** Reads what `toJSON` gave; throws `bad_outcome` for anything else. */
  static fromJSON(json: unknown): HookOutcome {
    const { type, reason, context } = (json ?? {}) as Partial<OutcomeJSON>;
    if (type === "proceed" && context === null) return HookOutcome.proceed();
    if (type === "proceed" && typeof context === "object")
      return HookOutcome.proceed(contextFromJSON(context));
    const isRefusal = type === "block" || type === "stop" || type === "ask";
    if (isRefusal && typeof reason !== "string") {
      throw new TenterhookError("bad_outcome", `this ${type} has no reason: ${messageOf(json)}.`);
    }
    if (type === "block" || type === "stop") return HookOutcome[type](reason as string);
    return HookOutcome.of(json as Outcome);
  }

  /** As plain data: the type, the reason, and the context to go on with, or what else the engine's outcome has. */
  toJSON(): OutcomeJSON {
    if (this.#engineOutcome !== undefined) return { ...this.#engineOutcome };
    const context = this.#context?.toJSON();
    return {
      type: this.#type,
      ...(this.#reason !== undefined && { reason: this.#reason }),
      ...(context !== undefined && { context }),
    };
  }

  type(): OutcomeType {
    return this.#type;
  }

  isProceed(): boolean {
    return this.#type === "proceed";
  }

  isBlocked(): boolean {
    return this.#type === "block";
  }

  isStopped(): boolean {
    return this.#type === "stop";
  }

  /** Why, for the person and the model; `undefined` when it proceeds. */
  reason(): string | undefined {
    return this.#reason;
  }

  /** The context to go on with, where one was given. */
  context(): HookContext | undefined {
    return this.#context;
  }

  /** What the engine said, when this is its outcome: a middleware that hands it on has then decided nothing itself. */
  engineOutcome(): Outcome | undefined {
    return this.#engineOutcome;
  }
}
