import type { Hooks } from "@tenterhook/engine";
import {
  beginTurn,
  endRun,
  type HostRun,
  joinContext,
  readFailure,
  resumeTurn,
} from "@tenterhook/engine/host";
import { TenterhookError } from "@tenterhook/protocol";
import { checkSupport, readUserText, replaceUserText } from "../core/index.ts";
import { HookedAgents } from "./hooked-agent.ts";
import { hookModel } from "./hooked-model.ts";
import { enterScope, HookedScopes, type OpenAiOptions, type Scope } from "./scope.ts";
import type {
  Agent,
  Item,
  Model,
  ModelProvider,
  RunContext,
  RunInput,
  Runner,
  RunnerConfig,
  RunOptions,
  RunResult,
  RunState,
  StreamedRunResult,
} from "./sdk.ts";
import { SUPPORT } from "./support.ts";

/** A runner like the given one, whose runs have hooks, and all agents that it is given. */
export function hookRunner(runner: Runner, hooks: Hooks, given: OpenAiOptions): Runner {
  const options = { ...given, runner: true };
  const { findRefusal } = checkSupport(hooks, SUPPORT, options);
  const hooked = new HookedScopes(hooks, options, findRefusal);
  const { config, traceOverrides } = runner;
  // Another runner of the same class: the given one stays as it is.
  const copy = new (runner.constructor as new (config: RunnerConfig) => Runner)(hookConfig(hooked, config));
  const emit = copy.emit.bind(copy);
  return Object.assign(copy, {
    ...(traceOverrides !== undefined && { traceOverrides }),
    run: hookRun(hooked, copy.run.bind(copy), config.modelProvider),
    // Listeners of either runner.
    emit: (event: string, ...values: readonly unknown[]) => {
      const wasHeard = runner.emit(event, ...values);
      return emit(event, ...values) || wasHeard;
    },
  });
}

/** Models that the runner knows by name get hooks where they are resolved. */
function hookConfig(hooked: HookedScopes, config: RunnerConfig): RunnerConfig {
  const { model, modelProvider } = config;
  const cached = new WeakMap<Model, Model>();
  const provider: ModelProvider = {
    getModel: async (name) => {
      const inner = await modelProvider.getModel(name);
      const known =
        cached.get(inner) ?? hookModel(hooked, inner, SUPPORT.name, name === "" ? undefined : name);
      cached.set(inner, known);
      return known;
    },
  };
  const isModel = typeof model === "object";
  return {
    ...config,
    modelProvider: provider,
    ...(isModel && { model: hookModel(hooked, model, SUPPORT.name) }),
  };
}

const DEFAULT_MAX_TURNS = 10;

/** The `run` of a runner with hooks: `before_agent` at the beginning of a run, `after_agent` at its end. */
function hookRun(hooked: HookedScopes, plainRun: Runner["run"], provider: ModelProvider): Runner["run"] {
  const agents = new HookedAgents(hooked);
  /** The scopes of runs that wait for a person. */
  const paused = new WeakMap<RunState, Scope>();

  const createScope = (agent: Agent, options: RunOptions, sessionId: string | undefined) => {
    const { name: agentName } = agent;
    const { maxTurns = DEFAULT_MAX_TURNS, signal } = options;
    const details = { agentName, sessionId, signal, ...(maxTurns !== null && { maxSteps: maxTurns }) };
    return agents.findScopes(agent).create(details, provider);
  };
  /** Throws the error of an `after_agent` hook that reaches the caller. */
  const end = async (scope: Scope, result: RunResult) => {
    const { run } = scope;
    // A runner may turn an error into an output.
    run.check();
    if ((result.interruptions?.length ?? 0) > 0) {
      paused.set(result.state, scope);
      return;
    }
    const { finalOutput } = result;
    const text = typeof finalOutput === "string" ? { text: finalOutput } : {};
    const error = await endRun(run, { status: "completed", ...text });
    if (error !== undefined) throw error;
  };

  return async (agentWithoutHooks, input, options = {}) => {
    const agent = agents.hook(agentWithoutHooks);
    const state = isRunState(input) ? await restoreState(input, agent, agents) : undefined;
    const sessionId = options.conversationId ?? (await options.session?.getSessionId());
    const waiting = state && paused.get(state);
    const continues = waiting !== undefined && waiting.run.stopped === undefined;
    const scope = continues ? waiting : createScope(agent, options, sessionId);
    const { run } = scope;
    if (continues) run.follow(options.signal);
    try {
      // It was paused in another process, where `before_agent` was fired.
      if (state !== undefined && !continues) await resumeTurn(run, readPrompt(state.history));
      const sent = state ?? (await begin(run, input as Exclude<RunInput, RunState>));
      const result = await enterScope(scope, () => plainRun(agent, sent, options));
      if (isStreamed(result, options)) return endStream(result, run, () => end(scope, result));
      await end(scope, result);
      return result;
    } catch (error) {
      throw await fail(run, error);
    }
  };
}

async function begin(run: HostRun, input: string | readonly Item[]): Promise<string | readonly Item[]> {
  const prompt = readPrompt(input);
  const beginning = await beginTurn(run, prompt);
  if (beginning.type === "refused") throw beginning.error;
  const text = joinContext(beginning.message, beginning.context);
  if (text === prompt) return input;
  return typeof input === "string" ? text : replaceUserText(input, text, TEXT_PART);
}

/** Ends a run that failed. Returns the error that the caller gets: of a stopped run its own, not the one that the SDK made of it. */
async function fail(run: HostRun, thrown: unknown): Promise<unknown> {
  const ending = readFailure(run, thrown);
  const error = await endRun(run, ending);
  if (ending.status === "stopped") return ending.error;
  return error === ending.error ? thrown : error;
}

function isStreamed(result: RunResult, { stream }: RunOptions): result is StreamedRunResult {
  return stream === true && "completed" in result;
}

/**
 * Ends the run of a streamed result: whoever waits for the result, or reads its events to the end, waits for the events at the end of
 * the run too, and gets their error.
 */
function endStream(result: StreamedRunResult, run: HostRun, end: () => Promise<void>): StreamedRunResult {
  const completed = result.completed.then(async () => {
    if (!result.cancelled) return end();
    const error = await fail(run, new DOMException("aborted", "AbortError"));
    // A stream that its reader aborted just ends.
    if (run.stopped?.by === "hook") throw error;
  });
  const ended = completed.catch(async (error: unknown) => {
    throw await fail(run, error);
  });
  // Somebody who only reads the events does not wait for it.
  ended.catch(() => {});
  const iterate = result[Symbol.asyncIterator].bind(result);
  async function* read(): AsyncGenerator<unknown, void, undefined> {
    try {
      yield* { [Symbol.asyncIterator]: iterate };
    } catch {
      // `ended` has the error that the caller gets.
    }
    await ended;
  }
  return Object.defineProperties(result, {
    completed: { get: () => ended },
    [Symbol.asyncIterator]: { value: read },
  });
}

/** Whether the input of a run is the state of a paused one. */
function isRunState(input: RunInput): input is RunState {
  return typeof input === "object" && !Array.isArray(input) && "currentAgent" in input;
}

interface RunStateClass {
  fromStringWithContext(agent: Agent, text: string, context: RunContext): Promise<RunState>;
}

/**
 * The state of a paused run, with agents that have hooks. A state that was read for an agent without hooks would continue with that
 * agent's own tools, so it is read again.
 */
async function restoreState(state: RunState, agent: Agent, agents: HookedAgents): Promise<RunState> {
  if (agents.isHooked(state.currentAgent)) return state;
  const { fromStringWithContext } = state.constructor as unknown as Partial<RunStateClass>;
  // The approvals are in the context, for which the SDK has no public name: without it the run must not continue.
  const { _context: context } = state as Partial<RunState>;
  if (fromStringWithContext === undefined || typeof context?.isToolApproved !== "function") {
    const problem = "the paused run belongs to an agent without hooks.";
    const hint = "Read it with RunState.fromString(withHooks(agent, hooks, { runner: true }), text).";
    throw new TenterhookError("unsupported_hook", problem, { hint });
  }
  return fromStringWithContext.call(state.constructor, agent, state.toString(), context);
}

/** The user's message in the input of a run. */
function readPrompt(input: string | readonly Item[]): string {
  return typeof input === "string" ? input : readUserText(input, TEXT_PART);
}

/** The type of the parts of a user's message that are text. */
const TEXT_PART = "input_text";
