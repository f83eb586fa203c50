import type * as sdk from "@strands-agents/sdk";
import type { Hooks } from "@tenterhook/engine";
import { onAbort } from "@tenterhook/internal";
import {
  type Delegation,
  findParent,
  type HostRun,
  resumeTurn,
  type SupportCheck,
  startFrameworkRun,
  toError,
} from "../core/index.ts";
import { hasToolResults, readText } from "./messages.ts";
import type { StrandsOptions } from "./strands-options.ts";
import { strandsSupport } from "./support.ts";

export type Sdk = typeof sdk;

/** What an agent is hooked with. */
export interface AgentParts {
  readonly sdk: Sdk;
  readonly agent: sdk.LocalAgent;
  readonly hooks: Hooks;
  readonly options: StrandsOptions;
  readonly check?: SupportCheck | undefined;
  /** Installs hooks on another agent: a subagent. Returns the function that removes them. */
  readonly install: (parts: AgentParts) => () => void;
  /** Of a subagent: the run that delegated to it, and its task. */
  readonly parent?: HostRun | undefined;
  readonly delegation?: Delegation | undefined;
}

/** Why the agent's turn was refused. */
export interface Refusal {
  readonly reason: string;
  readonly error: Error;
}

/**
 * One run of an agent, from the user's message to its end. Strands calls the turns that hooks add, and those that follow a pause,
 * invocations of their own; here they belong to the run.
 */
export class Invocation {
  readonly run: HostRun;
  /** The messages that the run began with. */
  readonly inputs: sdk.Message[] = [];
  /** The latest event of each tool call, by which a person is asked. */
  readonly toolEvents = new Map<string, sdk.BeforeToolCallEvent>();
  hasBegun = false;
  /** Whether a run that was paused in another process may continue; absent once that is known. It stays if the run is refused. */
  resuming: Promise<void> | undefined;
  refusal: Refusal | undefined;
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
  readonly #agent: sdk.LocalAgent;
  #turns = 0;
  #release: () => void = () => undefined;

  constructor({ agent, hooks, options, check, parent, delegation }: AgentParts) {
    this.#agent = agent;
    this.run = startFrameworkRun(hooks, {
      support: strandsSupport,
      options,
      agentName: agent.name,
      sessionId: parent === undefined ? agent.sessionId : undefined,
      signal: agent.cancelSignal,
      parent: parent ?? findParent(),
      delegation,
      check,
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
    const unfollow = this.#turns++ === 0 ? undefined : run.follow(this.#agent.cancelSignal);
    const stopListening =
      run.init.parent === undefined ? undefined : onAbort(run.signal, () => this.#agent.cancel?.());
    this.#release = () => {
      unfollow?.();
      stopListening?.();
    };
  }

  /** Continues a run that was paused in another process, where `before_agent` was fired. Rejects if it is refused. */
  resume(): Promise<void> {
    this.hasBegun = true;
    const message = this.#agent.messages.findLast((each) => each.role === "user" && !hasToolResults(each));
    this.resuming = resumeTurn(this.run, message === undefined ? "" : readText(message)).then(() => {
      this.resuming = undefined;
    });
    return this.resuming;
  }

  /** Throws what a hook has thrown, except a stop, which Strands carries out otherwise. */
  failUnlessStopped(error: unknown): void {
    if (error === this.run.stopped?.error) return;
    this.failure = toError(error);
    throw error;
  }

  /** Makes Strands end the run, if a hook stopped it. */
  cancelIfStopped(): void {
    if (this.run.stopped?.by === "hook") this.#agent.cancel?.();
  }

  endTurn(): void {
    this.#release();
    this.toolEvents.clear();
  }
}
