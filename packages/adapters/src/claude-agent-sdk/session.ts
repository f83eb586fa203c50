import {
  beginTurn,
  childHooks,
  type Delegation,
  endRun,
  endSession,
  findParent,
  type HostRun,
  startSession,
  type TurnStart,
} from "@tenterhook/engine/host";
import { TenterhookError } from "@tenterhook/protocol";
import { type AgentHooks, startFrameworkRun } from "../core/index.ts";
import type { ClaudeOptions, HookInput, ResultMessage } from "./sdk-types.ts";
import { CLAUDE_AGENT_SDK } from "./support.ts";
import { canUseToolApprover, ToolCalls } from "./tool-calls.ts";

/** One prompt and what the agent does about it. */
interface Turn {
  readonly run: HostRun;
  /** What reaches the caller: a hook failed the turn, or its gate was not satisfied. */
  error?: Error;
  /** What the model failed with; the SDK throws it. */
  modelError?: Error;
  isRefused?: boolean;
}

/** One query: its turns, its subagents, its open tool calls, and whether a hook has stopped it. */
export class ClaudeSession {
  readonly calls = new ToolCalls();
  readonly warn: (message: string) => void;
  /** Whether `withHooks` runs the query, and so fires the events at the end of a turn and of the session. */
  readonly isHosted: boolean;
  /** Turns that have not ended, the oldest first. */
  readonly turns: Turn[] = [];
  /** The error of the first turn that failed, for the caller. */
  error: Error | undefined;
  #current: Turn | undefined;
  /** How the session began: `session_start` fires once. */
  #start: ReturnType<typeof startSession> | undefined;
  #stopped: Error | undefined;
  readonly #startedAt = performance.now();
  #steps = 0;
  readonly #agentHooks: AgentHooks;
  readonly #query: ClaudeOptions;
  /** The run of another agent, in a tool of which the query began. */
  readonly #parent = findParent();
  readonly #subagents = new Map<string, HostRun>();
  /** Delegations that hooks have let pass, until their subagents start. */
  readonly delegations: Omit<Delegation, "subagentId">[] = [];
  /** Subagents that stopped although their gate was not satisfied. */
  readonly failedSubagents = new Map<string, Error>();

  constructor(agentHooks: AgentHooks, query: ClaudeOptions, isHosted: boolean) {
    const { options, warn } = agentHooks;
    this.warn = warn;
    this.isHosted = isHosted;
    this.#query = query;
    const approve =
      options.approve ??
      (query.canUseTool === undefined
        ? undefined
        : canUseToolApprover(query.canUseTool, this.calls, (reason) => this.stop(reason)));
    this.#agentHooks = { ...agentHooks, support: CLAUDE_AGENT_SDK, options: { ...options, approve } };
  }

  /** Why the query ends, once a hook has stopped it: also inside a subagent that has outlived the turn it began in. */
  get stopped(): Error | undefined {
    if (this.#stopped !== undefined) return this.#stopped;
    const subagents = [...this.#subagents.values()];
    const runs = this.#current === undefined ? subagents : [this.#current.run, ...subagents];
    this.#stopped = runs.find(({ stopped }) => stopped?.by === "hook")?.stopped?.error;
    return this.#stopped;
  }

  stop(reason: string): Error {
    const error = new TenterhookError("run_stopped", reason);
    this.#stopped ??= error;
    return this.run.stop(this.#stopped);
  }

  /** The run of the current turn. */
  get run(): HostRun {
    return this.turn.run;
  }

  /** The current turn; a new one if an event comes before the first prompt. */
  get turn(): Turn {
    return this.#current ?? this.#newTurn({});
  }

  /** Begins a turn: `session_start` the first time, then `before_agent`. Rejects when a hook stops the run. */
  async begin(message: string, input: Partial<HookInput>): Promise<TurnStart> {
    const turn = this.#newTurn(input);
    const { resume, continue: isContinued, model } = this.#query;
    this.#start ??= startSession(turn.run, {
      source: resume !== undefined || isContinued === true ? "resume" : "startup",
      ...(model !== undefined && { model }),
    });
    const start = await this.#start;
    if (start.type === "refused") {
      turn.isRefused = true;
      return { ...start, message };
    }
    const beginning = await beginTurn(turn.run, message);
    if (beginning.type === "refused") {
      // A refusal is a result of the query; a guard that failed is an error.
      if (beginning.error.code === "turn_refused") turn.isRefused = true;
      else turn.error = beginning.error;
      return beginning;
    }
    // What the session adds reaches its first prompt that is not refused.
    this.#start = Promise.resolve({ ...start, context: [] });
    return { ...beginning, context: [...start.context, ...beginning.context] };
  }

  #newTurn({ session_id: sessionId, cwd }: Partial<HookInput>): Turn {
    const { options } = this.#agentHooks;
    const agentHooks = { ...this.#agentHooks, options: { ...options, workDir: options.workDir ?? cwd } };
    const signal = this.#query.abortController?.signal;
    const run = startFrameworkRun(agentHooks, { sessionId, signal, parent: this.#parent });
    const turn: Turn = { run };
    this.#current = turn;
    if (this.isHosted) this.turns.push(turn);
    return turn;
  }

  /** The run of the agent that a callback is about: a subagent's, or that of the current turn. */
  findRun(input: Pick<HookInput, "agent_id" | "agent_type">): HostRun {
    const { agent_id: agentId, agent_type: agentType = "subagent" } = input;
    if (agentId === undefined) return this.run;
    const known = this.#subagents.get(agentId);
    if (known !== undefined) return known;
    const index = this.delegations.findIndex(({ subagentName }) => subagentName === agentType);
    const [delegation] = index < 0 ? [] : this.delegations.splice(index, 1);
    const { hooks, options } = this.#agentHooks;
    const agentHooks: AgentHooks = {
      ...this.#agentHooks,
      hooks: childHooks(hooks),
      options: { ...options, agent: { id: agentId, name: agentType } },
      findRefusal: undefined,
    };
    const run = startFrameworkRun(agentHooks, {
      parent: this.run,
      delegation: { subagentName: agentType, taskDescription: "", ...delegation, subagentId: agentId },
    });
    this.#subagents.set(agentId, run);
    return run;
  }

  async endSubagent(agentId: string, text: string): Promise<void> {
    const run = this.#subagents.get(agentId);
    if (run !== undefined) await endRun(run, { status: "completed", text });
    this.#subagents.delete(agentId);
  }

  /** Ends the oldest turn: its result has arrived. */
  async endTurn(result: ResultMessage): Promise<void> {
    const turn = this.turns.shift();
    if (turn === undefined) return;
    const { run } = turn;
    const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = result.usage ?? {};
    run.steps.recordUsage({ inputTokens, outputTokens });
    await this.#endTurn(
      turn,
      readStatus(turn, result),
      result.result ?? "",
      turn.error ?? turn.modelError ?? readError(result),
    );
  }

  async #endTurn(turn: Turn, status: "completed" | "failed" | "stopped", text: string, error?: Error) {
    this.#steps += turn.run.steps.started;
    const isFailed = status === "failed";
    const raised = await endRun(turn.run, {
      status,
      text,
      ...(isFailed && error !== undefined && { error }),
    });
    // An error of the model reaches the caller as the SDK throws it.
    if (raised !== undefined && (raised !== error || raised === turn.error)) this.error ??= raised;
  }

  /** Ends the session: subagents that Claude Code has left, turns without a result, then `session_end`. */
  async end(failure: unknown): Promise<void> {
    const { stopped, turns } = this;
    for (const run of this.#subagents.values()) await endRun(run, { status: "stopped" });
    this.#subagents.clear();
    const isAborted = this.#query.abortController?.signal.aborted === true;
    for (const turn of turns.splice(0)) {
      const isStopped = stopped !== undefined || isAborted || failure === undefined;
      const error = failure instanceof Error ? failure : undefined;
      await this.#endTurn(turn, isStopped ? "stopped" : "failed", "", error);
    }
    if (this.#start === undefined) return;
    const exitReason =
      stopped !== undefined
        ? "stopped"
        : isAborted
          ? "aborted"
          : failure === undefined
            ? "completed"
            : "failed";
    const durationSeconds = (performance.now() - this.#startedAt) / 1000;
    await endSession(this.run, { durationSeconds, totalSteps: this.#steps, exitReason });
  }
}

/** Limits of the query stop a run, as in Tenterhook's own agent; they do not fail it. */
function readStatus(turn: Turn, { subtype, is_error: isError, terminal_reason: reason }: ResultMessage) {
  if (turn.isRefused === true || turn.run.stopped !== undefined) return "stopped";
  if (turn.error !== undefined) return "failed";
  if (subtype.startsWith("error_max_") || reason === "hook_stopped" || reason === "stop_hook_prevented")
    return "stopped";
  return subtype === "success" && isError !== true ? "completed" : "failed";
}

function readError({ errors, result, subtype, is_error: isError }: ResultMessage): Error | undefined {
  if (subtype === "success" && isError !== true) return undefined;
  return new Error(errors?.join("\n") ?? result ?? subtype);
}
