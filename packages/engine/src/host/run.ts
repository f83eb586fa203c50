import { randomUUID } from "node:crypto";
import { Mutex, messageOf } from "@tenterhook/internal";
import {
  type EventName,
  type Message,
  type Metadata,
  type Payload,
  TenterhookError,
} from "@tenterhook/protocol";
import type { Approver } from "../answer/approval.ts";
import type { DispatchOptions, EffectsOf, RunOptions } from "../context/dispatch-options.ts";
import { newMetadata } from "../context/hook-context.ts";
import type { Hooks } from "../hooks.ts";
import type { Dispatch } from "../run/dispatch-hooks.ts";
import { abortError, stoppedBy } from "./errors.ts";
import { mayHaveHooks } from "./registered-hooks.ts";
import { RunSignal } from "./run-signal.ts";
import { StepRecord } from "./step-record.ts";
import type { StopGate } from "./stop-gate.ts";
import { findMissingEffect, type HostSupport } from "./support.ts";
import type { AskedCall, Awaitable } from "./tool-port.ts";

/** The agent as hooks see it. */
export type AgentInfo = NonNullable<Payload<"before_agent">["agent"]>;

/** The task of a subagent's run. */
export interface Delegation {
  readonly subagentName: string;
  readonly subagentId?: string;
  readonly subagentType?: string;
  readonly taskDescription: string;
}

/** What a host starts a run with. */
export interface RunInit {
  readonly agent: AgentInfo;
  /** Default: that of the parent, else a new one. */
  readonly sessionId?: string | undefined;
  /** Default: a new one. */
  readonly runId?: string | undefined;
  readonly userId?: string | undefined;
  /** The folder that the agent works in, as hooks see it. Default: the process's. */
  readonly workDir?: string | undefined;
  /** The limit of steps, where there is one. */
  readonly maxSteps?: number | undefined;
  /** Decides when a hook returns `ask`. Without it, and without a decision of the host's port, asking refuses the call. */
  readonly approve?: Approver | undefined;
  /** What the program's own tools do, for matchers with `effect`, beside what the set of hooks says. Default: what the parent has. */
  readonly effectsOf?: EffectsOf | undefined;
  /** The bag that hooks share. Default: that of the parent, so that no counter starts over by delegating; else a new one. */
  readonly metadata?: Metadata | undefined;
  /** The caller's signal: it aborts the run. */
  readonly signal?: AbortSignal | undefined;
  /** How often hooks may keep the agent running at its end. Default 3. */
  readonly maxHolds?: number | undefined;
  /** How often hooks may refuse an answer of the model, where the host leaves it to `callModel` to ask again. Default 3. */
  readonly maxRefusals?: number | undefined;
  /** The run that this one is nested in: they have one bag, and a stop of one of them stops both. */
  readonly parent?: HostRun | undefined;
  /** What the run is to do for its parent. */
  readonly delegation?: Delegation | undefined;
  /** What the host can carry of what hooks answer. Default: everything. */
  readonly support?: HostSupport | undefined;
  /**
   * Why the run cannot begin: hooks have come that the host would not call. Called once by each `resumeTurn`, and by each `beginTurn` of a set
   * that may have hooks on `before_agent`, as every set with a source of hooks may; what it throws fails the turn.
   */
  refusal?(): Awaitable<string | undefined>;
  /**
   * Called after every dispatch, before what hooks decided is acted on, with the payload that they were given. It must not throw: that
   * would fail the event.
   */
  onDispatch?(dispatch: Dispatch<EventName>, payload: unknown): void;
}

/** Why a run ends before its time. */
export interface RunStop {
  readonly error: Error;
  /** For the model and for people: without the hook's name. */
  readonly reason: string;
  readonly by: "hook" | "caller";
  readonly hook: string | undefined;
}

/** The event's own fields, without those that every event of a run has. */
export type OwnFields<E extends EventName> = Omit<
  Payload<E>,
  "sessionId" | "runId" | "workDir" | "agent" | "session" | "iteration" | "maxIterations" | "state"
>;

/** What a host may give for one dispatch: its checks, and in place of those of the run an approver and a signal. */
export type Checks<E extends EventName> = Omit<DispatchOptions<E>, "metadata">;

/** What the functions of this folder note about a run, and no host reads. */
export interface RunState {
  /** Tool calls are evaluated one after another, so that a person gets one question at a time. */
  readonly evaluations: Mutex;
  /** Evaluations of calls that have not been executed, by the id of the call. */
  readonly asked: Map<string, AskedCall>;
  /** For wrappers and stop gates. */
  readonly options: RunOptions;
  readonly startedAt: number;
  /** What the current step began with, for its end if it is not known then. */
  messages: readonly Message[];
  /** The user's message; absent if `before_agent` was not fired, so that `after_agent` does not follow. */
  message: string | undefined;
  delegation: Delegation | undefined;
  gate: StopGate | undefined;
  subagentGate: StopGate<"subagent_stop"> | undefined;
  /** Whether `subagent_stop` was fired for this run. */
  firedSubagentStop: boolean;
  /** Set when the agent stopped although its gate was not satisfied. */
  unsatisfied: TenterhookError | undefined;
  /** How often hooks refused an answer of the model. */
  refusals: number;
  hasEnded: boolean;
}

/** For the functions of this folder. */
export let stateOf: (run: HostRun) => RunState;

/**
 * Starts a run: nothing is fired yet. Every run needs an `endRun`, which also ends listening to the signals that it follows.
 */
export function startRun(hooks: Hooks, init: RunInit): HostRun {
  return new HostRun(hooks, init);
}

/**
 * One run of an agent. It fires events with what all events of a run have in common, and stores that a hook stopped it or the caller aborted
 * it, because many frameworks swallow what is thrown.
 */
export class HostRun {
  readonly hooks: Hooks;
  readonly init: RunInit;
  readonly sessionId: string;
  readonly runId: string;
  /** One bag for a run and all that are nested in it. */
  readonly metadata: Metadata;
  /** Aborted with the caller's signal, with the parent's run, and when a hook stops the run. `signal.signal` is an `AbortSignal`. */
  readonly signal: RunSignal = new RunSignal();
  /** What happened in the steps so far. */
  readonly steps: StepRecord = new StepRecord();
  /** While the run is active: its signal also cancels hooks. */
  readonly #options: RunOptions;
  /** For after-events of an aborted run, whose hooks must still run. */
  readonly #closingOptions: RunOptions;
  readonly #identity: Pick<Payload<"before_agent">, "workDir" | "agent" | "session" | "maxIterations">;
  readonly #state: RunState;
  #stopped: RunStop | undefined;

  static {
    stateOf = (run) => run.#state;
  }

  /** Use `startRun`. */
  constructor(hooks: Hooks, init: RunInit) {
    const { parent, signal, userId, maxSteps, approve, effectsOf = parent?.init.effectsOf } = init;
    this.hooks = hooks;
    this.init = init;
    this.sessionId = init.sessionId ?? parent?.sessionId ?? randomUUID();
    this.runId = init.runId ?? randomUUID();
    this.metadata = init.metadata ?? parent?.metadata ?? newMetadata();
    if (signal !== undefined) this.signal.follow(signal);
    if (parent !== undefined) this.signal.follow(parent.signal);
    this.#identity = {
      workDir: init.workDir ?? process.cwd(),
      agent: Object.freeze(init.agent),
      session: Object.freeze(userId === undefined ? { id: this.sessionId } : { id: this.sessionId, userId }),
      ...(maxSteps !== undefined && { maxIterations: maxSteps }),
    };
    this.#options = { metadata: this.metadata, signal: this.signal, approve, effectsOf };
    this.#closingOptions = { metadata: this.metadata, approve, effectsOf };
    this.#state = {
      evaluations: new Mutex(),
      asked: new Map(),
      options: this.#options,
      startedAt: performance.now(),
      messages: [],
      message: undefined,
      delegation: init.delegation,
      gate: undefined,
      subagentGate: undefined,
      firedSubagentStop: false,
      unsatisfied: undefined,
      refusals: 0,
      hasEnded: false,
    };
  }

  /** Whether `endRun` was called. */
  get hasEnded(): boolean {
    return this.#state.hasEnded;
  }

  /** Set when the agent stopped although its stop gate was not satisfied. */
  get unsatisfied(): TenterhookError | undefined {
    return this.#state.unsatisfied;
  }

  /** Why the run ends, once a hook stopped it or the caller aborted it; of a nested run also what stopped its parent. */
  get stopped(): RunStop | undefined {
    if (this.#stopped === undefined && this.signal.aborted) {
      const error = abortError(this.signal.reason);
      const { stopped } = this.init.parent ?? {};
      this.#stopped = stopped?.error === error ? stopped : readStop(error, messageOf(error));
    }
    return this.#stopped;
  }

  /** Throws the error of a stopped run: call it wherever the framework does not swallow what is thrown. */
  check(): void {
    const { stopped } = this;
    if (stopped !== undefined) throw stopped.error;
  }

  /**
   * Stops the run and the runs above it. The first stop wins: its error is returned, and every later event of the run rejects with it.
   * `reason` is for the model and for people.
   */
  stop(error: Error, reason: string = messageOf(error)): Error {
    const first = this.stopped ?? readStop(error, reason);
    this.#stopped = first;
    // A run above that goes on after an abort of this one, the time limit of its tool for example, is stopped by what stops it now.
    this.init.parent?.stop(error, reason);
    this.signal.abort(first.error);
    return first.error;
  }

  /**
   * Aborts the run when this signal is aborted: for frameworks that hand the caller's signal over later, or another for each turn. Returns
   * the function that ends it.
   */
  follow(signal: AbortSignal | null | undefined): () => void {
    if (signal === null || signal === undefined || this.signal.follows(signal)) return () => undefined;
    return this.signal.follow(signal);
  }

  /** Whether an event may have hooks: without them it need not be fired. */
  hasHooks(event: EventName): boolean {
    return mayHaveHooks(this.hooks, event);
  }

  /** Fires an event. Rejects after a stop and when the run was aborted, but not for a hook's failure. */
  async fire<E extends EventName>(event: E, fields: OwnFields<E>, checks?: Checks<E>): Promise<Dispatch<E>> {
    this.check();
    const options = checks === undefined ? this.#options : { ...this.#options, ...checks };
    const dispatch = await this.#dispatch(event, fields, options as DispatchOptions<E>);
    this.check();
    return this.#orStop(dispatch);
  }

  /** Fires an after-event, also when the run was stopped or aborted before. Rejects after a stop by these hooks. */
  async fireAfter<E extends EventName>(event: E, fields: OwnFields<E>): Promise<Dispatch<E>> {
    const isActive = !this.signal.aborted;
    const options = isActive ? this.#options : this.#closingOptions;
    const dispatch = await this.#dispatch(event, fields, options as DispatchOptions<E>);
    if (isActive) this.check();
    return this.#orStop(dispatch);
  }

  /** Fires an event at the end of the run, when there is nothing left to stop. */
  fireLast<E extends EventName>(event: E, fields: OwnFields<E>): Promise<Dispatch<E>> {
    return this.#dispatch(event, fields, this.#closingOptions as DispatchOptions<E>);
  }

  /** The payload of an event, with the fields that every event of the run has. */
  payload<E extends EventName>(fields: OwnFields<E>): Payload<E> {
    const base = {
      sessionId: this.sessionId,
      runId: this.runId,
      iteration: Math.max(1, this.steps.started),
      state: this.#readAgentState(),
    };
    // The event's own fields complete the payload, which TypeScript cannot follow for a generic event.
    return Object.freeze(Object.assign(base, this.#identity, fields)) as unknown as Payload<E>;
  }

  /** Throws for an effect of hooks that this host cannot carry: to ignore it would be to ignore the hook. */
  checkEffects(dispatch: Dispatch<EventName>): void {
    const { support } = this.init;
    const missing = support && findMissingEffect(support, dispatch);
    if (missing !== undefined)
      throw this.unsupported({ event: dispatch.event, hook: missing.hook }, missing.effect);
  }

  /** The error for an effect that this host cannot carry at this event. */
  unsupported({ event, hook }: Pick<Dispatch<EventName>, "event" | "hook">, effect: string): TenterhookError {
    const name = this.init.support?.name ?? "this host";
    const problem = `it answered with ${effect}, which ${name} cannot carry out.`;
    return new TenterhookError("unsupported_hook", problem, { hook, event });
  }

  #dispatch<E extends EventName>(
    event: E,
    fields: OwnFields<E>,
    options: DispatchOptions<E>,
  ): Promise<Dispatch<E>> {
    const payload = this.payload<E>(fields);
    const dispatching = this.hooks.dispatch(event, payload, options);
    const { init } = this;
    if (init.onDispatch === undefined) return dispatching;
    return dispatching.then((dispatch) => {
      init.onDispatch?.(dispatch, payload);
      return dispatch;
    });
  }

  #orStop<E extends EventName>(dispatch: Dispatch<E>): Dispatch<E> {
    if (dispatch.action === "stop") throw this.stop(stoppedBy(dispatch), dispatch.reason);
    return dispatch;
  }

  #readAgentState(): NonNullable<Payload<"before_agent">["state"]> {
    const { agent, parent } = this.init;
    const { completed: stepCount, current: currentStep = null } = this.steps;
    return Object.freeze({
      agentId: agent.id,
      parentAgentId: parent?.init.agent.id ?? null,
      stepCount,
      metadata: this.metadata,
      currentStep,
    });
  }
}

function readStop(error: Error, reason: string): RunStop {
  const isByHook = TenterhookError.isInstance(error) && error.code === "run_stopped";
  return { error, reason, by: isByHook ? "hook" : "caller", hook: isByHook ? error.hook : undefined };
}
