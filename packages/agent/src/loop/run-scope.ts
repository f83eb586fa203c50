import type { Approver, Dispatch, DispatchOptions, Hooks, RunOptions } from "@tenterhook/engine";
import type { EventName, Metadata, Payload, Usage } from "@tenterhook/protocol";
import type { AgentInstrument } from "../telemetry/agent-instrument.ts";
import { actsOf, type HookAct } from "./hook-act.ts";
import type { RunEvent, RunListener } from "./run-event.ts";
import { RunStopped } from "./run-stopped.ts";
import type { ToolCheck } from "./tool-checks.ts";

/** The latest acts are kept, this many: a run may go on for days. */
const MOST_ACTS = 1_000;

export interface RunIdentity {
  readonly runId: string;
  readonly sessionId: string;
  readonly userId: string | undefined;
  readonly workDir: string;
  readonly agent: NonNullable<Payload<"before_agent">["agent"]>;
  /** Of the agent that delegated to this one. */
  readonly parentAgentId: string | undefined;
  /** How many agents have delegated to each other above this one. */
  readonly depth: number;
  readonly maxSteps: number;
  readonly maxTokens: number;
}

/** What a run is given, or has of the run that delegated to it. */
export interface RunShares {
  readonly hooks: Hooks;
  readonly metadata: Metadata;
  readonly signal: AbortSignal;
  readonly approve: Approver | undefined;
  /** Permissions and guardrails. */
  readonly checks: readonly ToolCheck[];
  readonly instruments: readonly AgentInstrument[];
  /** Whether somebody reads the answer while it is written. */
  readonly streams: boolean;
  readonly emit: RunListener | undefined;
}

/** The fields that every event of a run has; the loop adds the event's own. */
type Own<E extends EventName> = Omit<
  Payload<E>,
  "sessionId" | "runId" | "workDir" | "agent" | "session" | "iteration" | "maxIterations"
>;

/** What one run has from its first event to its last: its hooks, its bag, its signal, and who listens. */
export class RunScope {
  readonly identity: RunIdentity;
  readonly shares: RunShares;
  readonly hooks: Hooks;
  readonly metadata: Metadata;
  readonly signal: AbortSignal;
  readonly streams: boolean;
  /** Steps begun so far. */
  stepCount = 0;
  /** Steps that have ended without failing, skipped ones included: what hooks read in `state.stepCount`. */
  completedSteps = 0;
  usage: Usage = { inputTokens: 0, outputTokens: 0 };
  #currentStep: NonNullable<Payload<"before_agent">["state"]>["currentStep"];
  #acts: HookAct[] = [];
  #stopped: RunStopped | undefined;
  readonly #session: Payload<"before_agent">["session"];
  /** For while the run goes on: what hooks do is cancelled with it. */
  readonly #live: RunOptions;
  /** For after-events of a run that was cancelled: their hooks must run all the same. */
  readonly #closing: RunOptions;

  constructor(identity: RunIdentity, shares: RunShares) {
    this.identity = identity;
    this.shares = shares;
    this.hooks = shares.hooks;
    this.metadata = shares.metadata;
    this.signal = shares.signal;
    this.streams = shares.streams;
    const { metadata, signal, approve } = shares;
    this.#live = { metadata, signal, approve };
    this.#closing = { metadata, approve };
    const { sessionId: id, userId } = identity;
    this.#session = userId === undefined ? { id } : { id, userId };
  }

  get acts(): readonly HookAct[] {
    return this.#acts;
  }

  /** The number of the step under way, from 1. */
  get step(): number {
    return Math.max(1, this.stepCount);
  }

  get tokens(): number {
    return this.usage.inputTokens + this.usage.outputTokens;
  }

  emit(event: RunEvent): void {
    this.shares.emit?.(event);
  }

  /** The options of everything that hooks do in this run, except dispatches. */
  get options(): RunOptions {
    return this.#live;
  }

  noteStep(step: NonNullable<Payload<"after_step">["step"]>): void {
    this.#currentStep = step;
  }

  addUsage(usage: Usage | undefined): void {
    if (usage === undefined) return;
    this.usage = {
      inputTokens: this.usage.inputTokens + usage.inputTokens,
      outputTokens: this.usage.outputTokens + usage.outputTokens,
    };
  }

  /** Asks the hooks of an event. A `stop`, and a run that was aborted meanwhile, unwind the run. */
  async ask<E extends EventName>(
    event: E,
    fields: Own<E>,
    more?: Pick<DispatchOptions<E>, "validate" | "permit">,
  ): Promise<Dispatch<E>> {
    this.checkAborted();
    const payload = this.payload<E>(fields);
    const options = more === undefined ? this.#live : { ...this.#live, ...more };
    const asked = this.hooks.dispatchNow(event, payload, options as DispatchOptions<E>);
    const dispatch = asked instanceof Promise ? await asked : asked;
    this.noteActs(dispatch, payload);
    this.checkAborted();
    if (dispatch.action === "stop") throw stoppedBy(dispatch);
    return dispatch;
  }

  /**
   * Asks the hooks of an after-event, who hear of it also when the run was aborted before; when it is aborted while they
   * are asked, they are cut short, so that a person who stops a run need not wait for them. A `stop` unwinds the run.
   */
  async tell<E extends EventName>(event: E, fields: Own<E>): Promise<Dispatch<E>> {
    const payload = this.payload<E>(fields);
    const options = this.signal.aborted ? this.#closing : this.#live;
    const asked = this.hooks.dispatchNow(event, payload, options as DispatchOptions<E>);
    const dispatch = asked instanceof Promise ? await asked : asked;
    if (options === this.#live) this.checkAborted();
    this.noteActs(dispatch, payload);
    if (dispatch.action === "stop") throw stoppedBy(dispatch);
    return dispatch;
  }

  /** The same at the very end, where there is nothing left to stop. */
  async tellLast<E extends EventName>(event: E, fields: Own<E>): Promise<Dispatch<E>> {
    const payload = this.payload<E>(fields);
    const dispatch = await this.hooks.dispatch(event, payload, this.#closing as DispatchOptions<E>);
    this.noteActs(dispatch, payload);
    return dispatch;
  }

  /** Ends the whole run at its next point, whoever may catch what is thrown now: a subagent was stopped by a hook. */
  stop(stopped: RunStopped): RunStopped {
    this.#stopped = stopped;
    return stopped;
  }

  /** Throws when the run must not go on. */
  checkAborted(): void {
    if (this.#stopped !== undefined) throw this.#stopped;
    if (this.signal.aborted) throw new RunStopped("aborted", abortReason(this.signal));
  }

  payload<E extends EventName>(fields: Own<E>): Payload<E> {
    const { runId, sessionId, workDir, agent, parentAgentId, maxSteps } = this.identity;
    const base = {
      sessionId,
      runId,
      workDir,
      agent,
      session: this.#session,
      iteration: this.step,
      maxIterations: maxSteps,
      state: {
        agentId: agent.id,
        parentAgentId: parentAgentId ?? null,
        stepCount: this.completedSteps,
        metadata: this.metadata,
        currentStep: this.#currentStep ?? null,
      },
    };
    // The event's own fields complete the payload; TypeScript cannot add up a generic one.
    return Object.assign(base, fields) as unknown as Payload<E>;
  }

  /** Tells a person what hooks did. */
  noteActs<E extends EventName>(dispatch: Dispatch<E>, asked: unknown): void {
    for (const act of actsOf(dispatch, asked)) {
      if (this.#acts.length >= MOST_ACTS) this.#acts = this.#acts.slice(MOST_ACTS / 2);
      this.#acts.push(act);
      this.emit({ type: "hook_acted", act });
    }
  }
}

function stoppedBy(dispatch: Dispatch<EventName>): RunStopped {
  return new RunStopped("stopped_by_hook", dispatch.reason ?? "a hook stopped the run", dispatch.hook);
}

function abortReason(signal: AbortSignal): string {
  const { reason } = signal;
  return reason instanceof Error ? reason.message : String(reason ?? "aborted");
}
