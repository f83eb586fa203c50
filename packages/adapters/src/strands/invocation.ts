import type * as sdk from "@strands-agents/sdk";
import type { Hooks } from "@tenterhook/engine";
import {
  afterStep,
  beforeStep,
  type Delegation,
  type Ending,
  type HostRun,
  type Refused,
  resumeTurn,
  toError,
} from "@tenterhook/engine/host";
import { onAbort } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { type AdapterOptions, type AgentHooks, startFrameworkRun } from "../core/index.ts";
import { hasToolResults, readConversation, readText, writeMessages } from "./messages.ts";

export type Sdk = typeof sdk;

/** What the plugin may be given besides the hooks; every option has a default. */
export interface StrandsOptions extends AdapterOptions {
  /** The models that hooks may choose by name, in `before_llm` and in wrappers of the call. Default: none. */
  readonly models?: Readonly<Record<string, sdk.Model>> | undefined;
}

/** What an agent is hooked with. */
export interface AgentParts {
  readonly sdk: Sdk;
  readonly agent: sdk.LocalAgent;
  /** A subagent without the plugin has a set that inherits from the one that the plugin was given, its `source`. */
  readonly agentHooks: AgentHooks;
  readonly source: Hooks;
  readonly models: StrandsOptions["models"];
  /** Installs hooks on another agent: a subagent. Returns the function that removes them. */
  readonly install: (parts: AgentParts) => () => void;
  /** While the agent runs as a tool: the run that delegated to it, and its task. */
  task?: { readonly parent: HostRun; readonly delegation: Delegation } | undefined;
}

/**
 * One run of an agent, from the user's message to its end. Strands calls the turns that hooks add, and those that follow a pause,
 * invocations of their own; here they belong to the run.
 */
export class Invocation {
  readonly parts: AgentParts;
  readonly run: HostRun;
  /** The messages that the run began with. */
  readonly inputs: sdk.Message[] = [];
  /** The latest event of each tool call, by which a person is asked. */
  readonly toolEvents = new Map<string, sdk.BeforeToolCallEvent>();
  hasBegun = false;
  /** Whether a run that was paused in another process may continue; absent once that is known. It stays if the run is refused. */
  resuming: Promise<void> | undefined;
  refusal: Refused | undefined;
  /** Another turn follows, because hooks or another plugin asked for it. */
  isHeld = false;
  /** A person is asked; the program calls the agent again with the answer. */
  isPaused = false;
  /** What a hook on the run or on a step failed with, which Strands' event at the end does not have. */
  failure: Error | undefined;
  /** The error of the last model call, unless it was retried. */
  modelError: Error | undefined;
  /** The final answer of the turn. */
  answer: sdk.Message | undefined;
  /** Answers of the model that hooks changed, refused or stopped, and what stands in their place. */
  readonly replaced = new Map<sdk.Message, sdk.Message>();
  /** The tool that returns structured output has ended the turn. */
  hasStructuredOutput = false;
  #turns = 0;
  #release: () => void = () => undefined;

  constructor(parts: AgentParts) {
    const { agent, agentHooks, task } = parts;
    this.parts = parts;
    this.run = startFrameworkRun(agentHooks, {
      agentName: agent.name,
      sessionId: task === undefined ? agent.sessionId : undefined,
      signal: agent.cancelSignal,
      ...task,
    });
  }

  /** Begins a turn. Each has a signal of its own; the run has that of the first. A turn ends with the run around it. */
  beginTurn(): void {
    this.isHeld = false;
    this.isPaused = false;
    this.failure = undefined;
    this.modelError = undefined;
    this.answer = undefined;
    this.hasStructuredOutput = false;
    const { run } = this;
    const { agent } = this.parts;
    const unfollow = this.#turns++ === 0 ? undefined : run.follow(agent.cancelSignal);
    const stopListening =
      run.init.parent === undefined ? undefined : onAbort(run.signal, () => agent.cancel?.());
    this.#release = () => {
      unfollow?.();
      stopListening?.();
    };
  }

  endTurn(): void {
    this.#release();
    this.toolEvents.clear();
  }

  /** Continues a run that was paused in another process, where `before_agent` was fired. Rejects if it is refused. */
  resume(): Promise<void> {
    this.hasBegun = true;
    const { messages } = this.parts.agent;
    const message = messages.findLast((each) => each.role === "user" && !hasToolResults(each));
    this.resuming = resumeTurn(this.run, message === undefined ? "" : readText(message)).then(() => {
      this.resuming = undefined;
    });
    return this.resuming;
  }

  /** Fires `before_step`, again for a step that hooks skip. */
  async beginStep(): Promise<void> {
    const { run } = this;
    // A retry of the same call.
    if (run.steps.isOpen) return;
    for (let skipped = 0; skipped < MAX_SKIPPED_STEPS; skipped++) {
      const messages = this.#readMessages("before_step");
      const step = await beforeStep(run, messages);
      if (step.messages !== messages) this.#replaceMessages(step.messages);
      if (step.type === "go_on") return;
      const skippedMessages = this.#readMessages("after_step");
      const changed = await afterStep(run, skippedMessages, "skipped");
      if (changed !== skippedMessages) this.#replaceMessages(changed);
    }
    const problem = `hooks skipped ${MAX_SKIPPED_STEPS} steps in a row, which is the limit.`;
    throw new TenterhookError("budget_exhausted", problem, { event: "before_step" });
  }

  /** Ends the step, if one is open. */
  async endStep(): Promise<void> {
    const { run } = this;
    if (!run.steps.isOpen) return;
    const messages = this.#readMessages("after_step");
    try {
      const changed = await afterStep(run, messages, run.stopped === undefined ? "completed" : "stopped");
      if (changed !== messages) this.#replaceMessages(changed);
    } catch (error) {
      this.failUnlessStopped(error);
      this.cancelIfStopped();
    }
  }

  /** Throws what a hook has thrown, except a stop, which Strands carries out otherwise. */
  failUnlessStopped(error: unknown): void {
    if (error === this.run.stopped?.error) return;
    this.failure = toError(error);
    throw error;
  }

  /** Makes Strands end the run, if a hook stopped it. */
  cancelIfStopped(): void {
    if (this.run.stopped?.by === "hook") this.parts.agent.cancel?.();
  }

  /** How the turn ended. Strands' event does not tell: it is concluded from what came before. */
  readEnding(): Ending {
    const { run, refusal, answer } = this;
    const text = answer === undefined ? undefined : readText(answer);
    if (run.stopped !== undefined) return { status: "stopped", text, error: run.stopped.error };
    const error = this.failure ?? this.modelError;
    if (error !== undefined) return { status: "failed", text, error };
    if (refusal !== undefined) return { status: "stopped", text, error: refusal.error };
    const hasAnswered = answer !== undefined || this.hasStructuredOutput;
    return { status: hasAnswered ? "completed" : "stopped", text };
  }

  #readMessages(event: "before_step" | "after_step") {
    return this.run.hasHooks(event) ? readConversation(this.parts.agent.messages) : [];
  }

  #replaceMessages(changed: Parameters<typeof writeMessages>[1]): void {
    const { messages } = this.parts.agent;
    messages.splice(0, messages.length, ...writeMessages(this.parts.sdk, changed));
  }
}

/** Hooks may skip steps; after so many in a row the run fails instead of running forever. */
const MAX_SKIPPED_STEPS = 100;
