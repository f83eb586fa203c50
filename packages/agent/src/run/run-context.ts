import type { Hooks } from "@tenterhook/engine";
import { type HostRun, type RunInit, startRun } from "@tenterhook/engine/host";
import type { Usage } from "@tenterhook/protocol";
import type { RunListener, StepUsage } from "./agent-event.ts";
import type { AgentInstrument } from "./agent-instrument.ts";
import { actsOf, type HookAct } from "./hook-act.ts";
import type { ToolCheck } from "./tool-checks.ts";

/** Only the latest acts are kept, because a run may last for days. */
const MAX_ACTS = 1_000;

/** What a run gets from its agent and its caller, or inherits from the run that delegated to it. */
export interface RunResources {
  readonly workDir: string;
  readonly maxSteps: number;
  readonly maxTokens: number;
  /** The number of delegations above this run. */
  readonly depth: number;
  /** Permissions and guardrails. */
  readonly checks: readonly ToolCheck[];
  readonly instruments: readonly AgentInstrument[];
  /** Absent if the run is not streamed to a reader. */
  readonly emit: RunListener | undefined;
}

/** What one run uses from its first event to its last: its hooks' run, what it may use, and what it has used. */
export class RunContext {
  /** The run as hooks see it: it fires the events, and knows why it was stopped. */
  readonly host: HostRun;
  readonly resources: RunResources;
  /** Effects of hooks, the latest last. */
  readonly acts: HookAct[] = [];
  /** Runs of subagents that have not ended: an abort leaves their tool calls, and this run ends after them. */
  readonly delegated = new Set<Promise<unknown>>();
  /** What the model calls of the current step used. */
  #stepUsage: StepUsage | undefined;

  constructor(hooks: Hooks, resources: RunResources, init: Omit<RunInit, "onDispatch">) {
    const { workDir, maxSteps } = resources;
    this.resources = resources;
    this.host = startRun(hooks, {
      workDir,
      maxSteps,
      ...init,
      onDispatch: (dispatch, payload) => {
        for (const act of actsOf(dispatch, payload)) this.#record(act);
      },
    });
  }

  /** The number of the current step, from 1. */
  get step(): number {
    return Math.max(1, this.host.steps.started);
  }

  /** Of this run and its subagents. */
  get tokens(): number {
    const { inputTokens, outputTokens } = this.host.steps.usage;
    return inputTokens + outputTokens;
  }

  /** Why it ends, once it was stopped. */
  get stopReason(): "stopped_by_hook" | "aborted" | undefined {
    const { stopped } = this.host;
    return stopped && (stopped.by === "hook" ? "stopped_by_hook" : "aborted");
  }

  get isStreamed(): boolean {
    return this.resources.emit !== undefined;
  }

  emit: RunListener = (event) => this.resources.emit?.(event);

  /** Adds what a model call of the current step used. */
  recordStepUsage(model: string, usage: Usage | undefined): void {
    if (usage === undefined) return;
    const { inputTokens = 0, outputTokens = 0 } = this.#stepUsage ?? {};
    this.#stepUsage = {
      model,
      inputTokens: inputTokens + usage.inputTokens,
      outputTokens: outputTokens + usage.outputTokens,
    };
  }

  /** What the model calls of the step that ends now used; the next step begins with nothing. */
  takeStepUsage(): StepUsage | undefined {
    const usage = this.#stepUsage;
    this.#stepUsage = undefined;
    return usage;
  }

  #record(act: HookAct): void {
    if (this.acts.length >= MAX_ACTS) this.acts.splice(0, MAX_ACTS / 2);
    this.acts.push(act);
    this.emit({ type: "hook_acted", act });
  }
}
