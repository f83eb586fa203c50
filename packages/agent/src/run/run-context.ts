import type { Approver, Dispatch, DispatchOptions, Hooks } from "@tenterhook/engine";
import type { RunOptions } from "@tenterhook/engine/host";
import { messageOf } from "@tenterhook/internal";
import type { EventName, Metadata, Payload, Usage } from "@tenterhook/protocol";
import type { AgentEvent, RunListener, StepUsage } from "./agent-event.ts";
import type { AgentInstrument } from "./agent-instrument.ts";
import { actsOf, type HookAct } from "./hook-act.ts";
import { RunStopped } from "./run-stopped.ts";
import type { ToolCheck } from "./tool-checks.ts";

/** Only the latest acts are kept, because a run may last for days. */
const MAX_ACTS = 1_000;

export interface RunIdentity {
  readonly runId: string;
  readonly sessionId: string;
  readonly userId: string | undefined;
  readonly workDir: string;
  readonly agent: NonNullable<Payload<"before_agent">["agent"]>;
  /** The id of the agent that delegated to this one. */
  readonly parentAgentId: string | undefined;
  /** The number of delegations above this run. */
  readonly depth: number;
  readonly maxSteps: number;
  readonly maxTokens: number;
}

/** What a run gets from its caller, or inherits from the run that delegated to it. */
export interface RunResources {
  readonly hooks: Hooks;
  readonly metadata: Metadata;
  readonly signal: AbortSignal;
  readonly approve: Approver | undefined;
  /** Permissions and guardrails. */
  readonly checks: readonly ToolCheck[];
  readonly instruments: readonly AgentInstrument[];
  /** Whether the answer is streamed to a reader. */
  readonly isStreamed: boolean;
  readonly emit: RunListener | undefined;
}

/** The event's own fields, without those that every event of a run has. */
type OwnFields<E extends EventName> = Omit<
  Payload<E>,
  "sessionId" | "runId" | "workDir" | "agent" | "session" | "iteration" | "maxIterations"
>;

/** What one run uses from its first event to its last: hooks, metadata, signal and listeners. */
export class RunContext {
  readonly identity: RunIdentity;
  readonly resources: RunResources;
  readonly hooks: Hooks;
  readonly metadata: Metadata;
  readonly signal: AbortSignal;
  readonly isStreamed: boolean;
  /** Steps started so far. */
  stepCount = 0;
  /** Steps that have ended without failing, skipped ones included: what hooks read in `state.stepCount`. */
  completedSteps = 0;
  usage: Usage = { inputTokens: 0, outputTokens: 0 };
  #stepUsage: StepUsage | undefined;
  #currentStep: NonNullable<Payload<"before_agent">["state"]>["currentStep"];
  #acts: HookAct[] = [];
  #stopped: RunStopped | undefined;
  readonly #session: Payload<"before_agent">["session"];
  /** While the run is active: its signal also cancels hooks. */
  readonly #options: RunOptions;
  /** For after-events of a cancelled run, whose hooks must still run. */
  readonly #closingOptions: RunOptions;

  constructor(identity: RunIdentity, resources: RunResources) {
    this.identity = identity;
    this.resources = resources;
    this.hooks = resources.hooks;
    this.metadata = resources.metadata;
    this.signal = resources.signal;
    this.isStreamed = resources.isStreamed;
    const { metadata, signal, approve } = resources;
    this.#options = { metadata, signal, approve };
    this.#closingOptions = { metadata, approve };
    const { sessionId: id, userId } = identity;
    this.#session = Object.freeze(userId === undefined ? { id } : { id, userId });
  }

  get acts(): readonly HookAct[] {
    return this.#acts;
  }

  /** The number of the current step, from 1. */
  get step(): number {
    return Math.max(1, this.stepCount);
  }

  get tokens(): number {
    return this.usage.inputTokens + this.usage.outputTokens;
  }

  emit(event: AgentEvent): void {
    this.resources.emit?.(event);
  }

  /** The options for wrappers and stop gates of this run. */
  get options(): RunOptions {
    return this.#options;
  }

  recordStep(step: NonNullable<Payload<"after_step">["step"]>): void {
    this.#currentStep = step;
  }

  addUsage(usage: Usage | undefined): void {
    if (usage === undefined) return;
    this.usage = {
      inputTokens: this.usage.inputTokens + usage.inputTokens,
      outputTokens: this.usage.outputTokens + usage.outputTokens,
    };
  }

  /** Adds what a model call of the current step used. */
  recordCall(model: string, usage: Usage | undefined): void {
    if (usage === undefined) return;
    this.addUsage(usage);
    this.#stepUsage = {
      model,
      inputTokens: (this.#stepUsage?.inputTokens ?? 0) + usage.inputTokens,
      outputTokens: (this.#stepUsage?.outputTokens ?? 0) + usage.outputTokens,
    };
  }

  /** What the model calls of the step that ends now used; the next step begins with nothing. */
  takeStepUsage(): StepUsage | undefined {
    const usage = this.#stepUsage;
    this.#stepUsage = undefined;
    return usage;
  }

  /** Fires an event. Throws `RunStopped` after a `stop`, and when the run was aborted in the meantime. */
  async fire<E extends EventName>(
    event: E,
    fields: OwnFields<E>,
    more?: Pick<DispatchOptions<E>, "validate" | "permit">,
  ): Promise<Dispatch<E>> {
    this.checkAborted();
    const payload = this.payload<E>(fields);
    const options = more === undefined ? this.#options : { ...this.#options, ...more };
    const dispatch = await this.hooks.dispatch(event, payload, options as DispatchOptions<E>);
    this.recordActs(dispatch, payload);
    this.checkAborted();
    if (dispatch.action === "stop") throw stoppedBy(dispatch);
    return dispatch;
  }

  /**
   * Fires an after-event, also when the run was aborted before. If the run is aborted while its hooks run, they are cancelled,
   * so that a person who stops a run need not wait for them. Throws `RunStopped` after a `stop`.
   */
  async fireAfter<E extends EventName>(event: E, fields: OwnFields<E>): Promise<Dispatch<E>> {
    const payload = this.payload<E>(fields);
    const options = this.signal.aborted ? this.#closingOptions : this.#options;
    const dispatch = await this.hooks.dispatch(event, payload, options as DispatchOptions<E>);
    if (options === this.#options) this.checkAborted();
    this.recordActs(dispatch, payload);
    if (dispatch.action === "stop") throw stoppedBy(dispatch);
    return dispatch;
  }

  /** Fires an event at the end of the run, when there is nothing left to stop. */
  async fireLast<E extends EventName>(event: E, fields: OwnFields<E>): Promise<Dispatch<E>> {
    const payload = this.payload<E>(fields);
    const dispatch = await this.hooks.dispatch(event, payload, this.#closingOptions as DispatchOptions<E>);
    this.recordActs(dispatch, payload);
    return dispatch;
  }

  /** Ends the whole run at its next event, even if the returned error is caught: a hook stopped a subagent. */
  stop(stopped: RunStopped): RunStopped {
    this.#stopped = stopped;
    return stopped;
  }

  /** Throws `RunStopped` when the run was stopped or aborted. */
  checkAborted(): void {
    if (this.#stopped !== undefined) throw this.#stopped;
    if (this.signal.aborted) throw new RunStopped("aborted", abortReason(this.signal));
  }

  /**
   * The payload of an event. It is frozen, but not what its fields are: those that hooks must not write into are frozen where they
   * enter the loop.
   */
  payload<E extends EventName>(fields: OwnFields<E>): Payload<E> {
    const { runId, sessionId, workDir, agent, parentAgentId, maxSteps } = this.identity;
    const base = {
      sessionId,
      runId,
      workDir,
      agent,
      session: this.#session,
      iteration: this.step,
      maxIterations: maxSteps,
      state: Object.freeze({
        agentId: agent.id,
        parentAgentId: parentAgentId ?? null,
        stepCount: this.completedSteps,
        metadata: this.metadata,
        currentStep: this.#currentStep ?? null,
      }),
    };
    // The event's own fields complete the payload, which TypeScript cannot follow for a generic event.
    return Object.freeze(Object.assign(base, fields)) as unknown as Payload<E>;
  }

  /** Records and emits what hooks did. */
  recordActs<E extends EventName>(dispatch: Dispatch<E>, original: unknown): void {
    for (const act of actsOf(dispatch, original)) {
      if (this.#acts.length >= MAX_ACTS) this.#acts = this.#acts.slice(MAX_ACTS / 2);
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
  return reason === undefined || reason === null ? "aborted" : messageOf(reason);
}
