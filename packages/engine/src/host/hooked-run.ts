import { randomUUID } from "node:crypto";
import { type Abortable, Mutex, messageOf } from "@tenterhook/internal";
import { type EventName, type Metadata, type Payload, TenterhookError } from "@tenterhook/protocol";
import type { Approver } from "../answer/approval.ts";
import type { DispatchOptions, RunOptions } from "../context/dispatch-options.ts";
import { newMetadata } from "../context/hook-run-context.ts";
import { RunSignal } from "../context/run-signal.ts";
import type { Hooks } from "../hooks.ts";
import type { Dispatch } from "../run/dispatch.ts";
import { findMissingEffect, type HostSupport } from "./effects.ts";
import type { StoredEvaluation } from "./evaluation.ts";
import { hasDecidingHooks, mayChangeAnswer, mayHaveHooks } from "./registered-hooks.ts";
import { StepRecord } from "./step-record.ts";
import { toError } from "./to-error.ts";

/** The task of a subagent's run. */
export interface Delegation {
  readonly subagentName: string;
  readonly subagentId: string;
  readonly taskDescription: string;
}

/** What the user of a host may set. */
export interface HostOptions {
  /** The agent as hooks see it. Default: its name in the framework, else the framework's name. */
  readonly agent?: Partial<NonNullable<Payload<"before_agent">["agent"]>> | undefined;
  /** The session as hooks see it. Default: a new id for each run. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  /** The folder that the agent works in, as hooks see it. Default: the process's. */
  readonly workDir?: string | undefined;
  /** Decides in this process when a hook returns `ask`. Default: the framework's own approval. */
  readonly approve?: Approver | undefined;
  /** How often hooks may keep the agent running at its end. Default 3. */
  readonly maxHolds?: number | undefined;
  /** How often hooks may refuse an answer of the model in one run. Default 3. */
  readonly maxRefusals?: number | undefined;
}

/** What a run is created with. */
export interface RunDetails {
  readonly support: HostSupport;
  readonly options?: HostOptions | undefined;
  /** The agent's name in its framework. */
  readonly agentName?: string | undefined;
  /** The framework's own id of the conversation, where it has one; the option wins. */
  readonly sessionId?: string | undefined;
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined;
  /** The run that this one is nested in: they have one bag, and a stop of one of them stops both. */
  readonly parent?: HookedRun | undefined;
  readonly delegation?: Delegation | undefined;
  /** The limit of steps, where the framework has one. */
  readonly maxSteps?: number | undefined;
  readonly check?: { findRefusal(): string | undefined | Promise<string | undefined> } | undefined;
}

/** The event's own fields, without those that every event of a run has. */
export type OwnFields<E extends EventName> = Omit<
  Payload<E>,
  "sessionId" | "runId" | "workDir" | "agent" | "session" | "iteration" | "maxIterations" | "state"
>;

/** The checks of the host for one dispatch. */
export type HostChecks<E extends EventName> = Pick<DispatchOptions<E>, "permit" | "signal"> & {
  readonly approve?: Approver | undefined;
  readonly validate?: DispatchOptions<E>["validate"] | undefined;
};

/**
 * One run of an agent inside a framework: it fires the events, and stores that a hook stopped it, because many frameworks swallow
 * what is thrown.
 */
export class HookedRun {
  readonly hooks: Hooks;
  readonly details: RunDetails;
  readonly options: HostOptions;
  /** One bag for a run and all that are nested in it: a counter that started over there could be reset by delegating. */
  readonly metadata: Metadata;
  /** Aborted with the caller's signal, with the parent's run, and when a hook stops the run. */
  readonly cancellation: RunSignal = new RunSignal();
  /** Tool calls are evaluated one after another, so that a person gets one question at a time. */
  readonly evaluations = new Mutex();
  /** What happened in the current step. */
  readonly steps: StepRecord = new StepRecord();
  /** Evaluations of calls that have not been executed, by the id of the call; for `evaluate-tool.ts`. */
  storedEvaluations: Map<string, StoredEvaluation> | undefined;
  /** How often hooks refused an answer of the model. */
  refusals = 0;
  /** Whether there is a signal of a caller, or of a parent, that aborts the run. */
  followsCaller = false;
  /** Whether `release` was called. */
  hasEnded = false;
  #stopped: Error | undefined;
  #stopReason: string | undefined;
  readonly #identity: Pick<Payload<"before_agent">, "workDir" | "agent" | "session"> & {
    readonly sessionId: string;
    readonly runId: string;
    readonly maxIterations: number | undefined;
  };
  readonly agentId: string;
  /** While the run is active: its signal also cancels hooks. */
  readonly dispatchOptions: RunOptions;
  /** For after-events of an aborted run, whose hooks must still run. */
  readonly #closingOptions: RunOptions;
  #frameworkSignal: AbortSignal | undefined;
  #state: NonNullable<Payload<"before_agent">["state"]> | undefined;

  constructor(hooks: Hooks, details: RunDetails) {
    const { support, options = {}, parent, delegation } = details;
    this.hooks = hooks;
    this.details = details;
    this.options = options;
    this.metadata = parent?.metadata ?? newMetadata();
    if (details.signal !== undefined) this.#follow(details.signal);
    if (parent !== undefined) this.#follow(parent.cancellation);
    const name = options.agent?.name ?? details.agentName ?? delegation?.subagentName ?? support.name;
    // Spreads only where they are needed: properties beside one take longer than all others together.
    const agent = Object.freeze(
      options.agent === undefined ? { id: name, name } : { id: name, ...options.agent, name },
    );
    const id = options.sessionId ?? details.sessionId ?? parent?.sessionId ?? randomUUID();
    const { userId } = options;
    this.agentId = agent.id;
    this.#identity = {
      sessionId: id,
      runId: randomUUID(),
      workDir: options.workDir ?? process.cwd(),
      agent,
      session: Object.freeze(userId === undefined ? { id } : { id, userId }),
      maxIterations: details.maxSteps,
    };
    const { metadata, cancellation: signal } = this;
    const { approve } = options;
    this.dispatchOptions = { metadata, signal, approve };
    this.#closingOptions = { metadata, approve };
  }

  /** Aborts the run when this signal is aborted: for frameworks that hand the caller's signal over later, or another for each call. */
  follow(signal: AbortSignal | null | undefined): void {
    if (signal === null || signal === undefined || this.cancellation.follows(signal)) return;
    if (signal !== this.#frameworkSignal) this.#follow(signal);
  }

  #follow(signal: AbortSignal | Abortable): void {
    this.cancellation.follow(signal);
    this.followsCaller = true;
  }

  /** The same for the framework; read it only where it is needed, because it has a cost. */
  get signal(): AbortSignal {
    this.#frameworkSignal ??= this.cancellation.signal;
    return this.#frameworkSignal;
  }

  /** Stops listening to the signals of its callers: the run has ended. */
  release(): void {
    this.hasEnded = true;
    this.cancellation.release();
  }

  get sessionId(): string {
    return this.#identity.sessionId;
  }

  get runId(): string {
    return this.#identity.runId;
  }

  /** Why the run ends, once a hook stopped it or the caller aborted it. */
  get stopped(): Error | undefined {
    if (this.#stopped === undefined && this.cancellation.aborted)
      this.#stopped = abortError(this.cancellation.reason);
    return this.#stopped;
  }

  /** Whether a hook stopped it; false for an abort of the caller. */
  get isStoppedByHook(): boolean {
    const { stopped } = this;
    return TenterhookError.isInstance(stopped) && stopped.code === "run_stopped";
  }

  /** Throws the error of a stopped run: call it wherever the framework does not swallow what is thrown. */
  checkStopped(): void {
    if (this.stopped !== undefined) throw this.stopped;
  }

  /** Why the run ends, for the model: without the hook's name. */
  get stopReason(): string {
    const { parent } = this.details;
    const { stopped } = this;
    if (this.#stopReason !== undefined || stopped === undefined) return this.#stopReason ?? "";
    return parent?.stopped === stopped ? parent.stopReason : stopped.message;
  }

  /** Stops the run; all later events of it throw the returned error. The runs above it are stopped too. */
  stop(error: Error, reason = error.message): Error {
    this.#stopped ??= error;
    this.#stopReason ??= reason;
    this.details.parent?.stop(this.#stopped, reason);
    this.cancellation.abort(this.#stopped);
    return this.#stopped;
  }

  /**
   * Fires an event; a promise only if a hook returned one. Throws or rejects with `stopped` after a `stop`, and when the run was
   * aborted, but not for a hook's failure.
   */
  fire<E extends EventName>(
    event: E,
    fields: OwnFields<E>,
    checks?: HostChecks<E>,
  ): Dispatch<E> | Promise<Dispatch<E>> {
    this.checkStopped();
    const options = checks === undefined ? this.dispatchOptions : this.#withChecks(checks);
    const dispatching = this.hooks.dispatchNow(event, this.payload<E>(fields), options as DispatchOptions<E>);
    return dispatching instanceof Promise
      ? dispatching.then((dispatch) => this.#accept(dispatch, true))
      : this.#accept(dispatching, true);
  }

  /** Fires an after-event, also when the run was stopped before. Throws or rejects with `stopped` after a `stop`. */
  fireAfter<E extends EventName>(event: E, fields: OwnFields<E>): Dispatch<E> | Promise<Dispatch<E>> {
    const isActive = !this.cancellation.aborted;
    const options = isActive ? this.dispatchOptions : this.#closingOptions;
    const dispatching = this.hooks.dispatchNow(event, this.payload<E>(fields), options as DispatchOptions<E>);
    return dispatching instanceof Promise
      ? dispatching.then((dispatch) => this.#accept(dispatch, isActive))
      : this.#accept(dispatching, isActive);
  }

  /** `isActive`: the run was not aborted when the event was fired. */
  #accept<E extends EventName>(dispatch: Dispatch<E>, isActive: boolean): Dispatch<E> {
    if (isActive) this.checkStopped();
    if (dispatch.action === "stop") throw this.stop(stoppedBy(dispatch), dispatch.reason);
    return dispatch;
  }

  /** Fires an event at the end of the run, when there is nothing left to stop. */
  fireLast<E extends EventName>(event: E, fields: OwnFields<E>): Promise<Dispatch<E>> {
    return this.hooks.dispatch(event, this.payload<E>(fields), this.#closingOptions as DispatchOptions<E>);
  }

  /** The payload of an event, with the fields that every event of the run has. */
  payload<E extends EventName>(fields: OwnFields<E>): Payload<E> {
    const { sessionId, runId, workDir, agent, session, maxIterations } = this.#identity;
    const iteration = Math.max(1, this.steps.started);
    const state = this.#readState();
    // The names are written out: a property that follows a spread takes longer than all others together.
    const base =
      maxIterations === undefined
        ? { sessionId, runId, workDir, agent, session, iteration, state }
        : { sessionId, runId, workDir, agent, session, iteration, state, maxIterations };
    // The event's own fields complete the payload, which TypeScript cannot follow for a generic event.
    return Object.freeze(Object.assign(base, fields)) as unknown as Payload<E>;
  }

  #withChecks<E extends EventName>({ validate, permit, approve, signal }: HostChecks<E>) {
    const { metadata } = this;
    return {
      metadata,
      signal: signal ?? this.cancellation,
      approve: approve ?? this.options.approve,
      validate,
      permit,
    };
  }

  /** The same object until a step has ended or been answered. */
  #readState(): NonNullable<Payload<"before_agent">["state"]> {
    const { completed: stepCount, current: currentStep = null } = this.steps;
    if (this.#state?.stepCount !== stepCount || this.#state.currentStep !== currentStep) {
      const { agentId, metadata } = this;
      const parentAgentId = this.details.parent?.agentId ?? null;
      this.#state = Object.freeze({ agentId, parentAgentId, stepCount, metadata, currentStep });
    }
    return this.#state;
  }

  /** Whether there are hooks on an event, or sources that may register some: without them it need not be fired. */
  hasHooks(event: EventName): boolean {
    return mayHaveHooks(this.hooks, event);
  }

  /**
   * Whether hooks may still change or replace what the model answers, so that its text cannot be shown while it is written. Asked before
   * each call: hooks may have been registered since the last one.
   */
  mayChangeAnswer(): boolean | Promise<boolean> {
    return mayReplaceAnswer(this.hooks);
  }

  /** Throws for an effect of hooks that this framework cannot carry: to ignore it would be to ignore the hook. */
  checkEffects(dispatch: Dispatch<EventName>): void {
    const missing = findMissingEffect(this.details.support, dispatch);
    if (missing !== undefined)
      throw this.unsupported({ event: dispatch.event, hook: missing.hook }, missing.effect);
  }

  /** The error for an effect that this framework cannot carry at this event. */
  unsupported({ event, hook }: Pick<Dispatch<EventName>, "event" | "hook">, effect: string): TenterhookError {
    const problem = `it answered with ${effect}, which ${this.details.support.name} cannot carry out.`;
    return new TenterhookError("unsupported_hook", problem, { hook, event });
  }
}

/** A hook that recovers from an error replaces the answer too. A promise only if there are sources of hooks. */
function mayReplaceAnswer(hooks: Hooks): boolean | Promise<boolean> {
  const mayChange = mayChangeAnswer(hooks);
  if (!(mayChange instanceof Promise)) return mayChange || hasDecidingHooks(hooks, "on_error");
  return Promise.all([mayChange, hooks.prepare("on_error")]).then(
    ([may]) => may || hasDecidingHooks(hooks, "on_error"),
  );
}

function stoppedBy(dispatch: Dispatch<EventName>): TenterhookError {
  const { hook, event } = dispatch;
  return new TenterhookError("run_stopped", dispatch.reason ?? "a hook stopped the run", { hook, event });
}

/** What frameworks throw for an aborted run. */
function abortError(reason: unknown): Error {
  if (reason === undefined || reason === null) return new DOMException("aborted", "AbortError");
  return reason instanceof Error
    ? reason
    : Object.assign(toError(reason), { name: "AbortError", message: messageOf(reason) });
}
