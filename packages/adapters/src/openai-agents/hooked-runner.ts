import type { Hooks } from "@tenterhook/engine";
import type { EventName } from "@tenterhook/protocol";
import {
  beginTurn,
  endRun,
  joinContext,
  listSupported,
  readFailure,
  resumeTurn,
  SupportCheck,
  toError,
} from "../core/index.ts";
import { HookedAgents } from "./hooked-agent.ts";
import { HookedModel } from "./hooked-model.ts";
import type { OpenAiOptions } from "./options.ts";
import { changeText, readPrompt } from "./prompt.ts";
import { isRunState, restoreState } from "./resumed-state.ts";
import { HookedScopes, type Scope } from "./scope.ts";
import type {
  Agent,
  Model,
  ModelProvider,
  RunInput,
  Runner,
  RunnerConfig,
  RunOptions,
  RunResult,
  RunState,
  StreamedRunResult,
} from "./sdk.ts";
import { endStream } from "./streamed-result.ts";
import { SUPPORT } from "./support.ts";

/** A runner like the given one, whose runs have hooks, and all agents that it is given. */
export function hookRunner(runner: Runner, hooks: Hooks, given: OpenAiOptions): Runner {
  const options = { ...given, runner: true };
  const hooked = new HookedScopes(hooks, options);
  hooked.check = new SupportCheck(hooks, SUPPORT, listSupported(SUPPORT), options);
  const config = hookConfig(hooked, runner.config);
  // Another runner of the same class: the given one stays as it is.
  const copy = new (runner.constructor as new (config: RunnerConfig) => Runner)(config);
  const run = new HookedRuns(hooked, copy, runner.config.modelProvider);
  const { traceOverrides } = runner;
  const emit = copy.emit.bind(copy);
  return Object.assign(copy, {
    ...(traceOverrides !== undefined && { traceOverrides }),
    run: run.run,
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
  const wrap = (inner: Model, name?: string) => new HookedModel(hooked, inner, SUPPORT.name, name);
  const cached = new WeakMap<Model, Model>();
  const provider: ModelProvider = {
    getModel: async (name) => {
      const inner = await modelProvider.getModel(name);
      const known = cached.get(inner) ?? wrap(inner, name === "" ? undefined : name);
      cached.set(inner, known);
      return known;
    },
  };
  const isModel = typeof model === "object" && !(model instanceof HookedModel);
  return { ...config, modelProvider: provider, ...(isModel && { model: wrap(model) }) };
}

/** The events at the beginning and at the end of a run. */
const EVENTS: readonly EventName[] = ["before_agent", "after_step", "agent_failed", "after_agent"];

const DEFAULT_MAX_TURNS = 10;

/** The runs of a runner: `before_agent` at their beginning, `after_agent` at their end. */
class HookedRuns {
  readonly #hooked: HookedScopes;
  readonly #agents: HookedAgents;
  readonly #run: Runner["run"];
  readonly #provider: ModelProvider;
  /** The scopes of runs that wait for a person. */
  readonly #paused = new WeakMap<object, Scope>();

  constructor(hooked: HookedScopes, runner: Runner, provider: ModelProvider) {
    this.#hooked = hooked;
    this.#agents = new HookedAgents(hooked);
    this.#run = runner.run.bind(runner);
    this.#provider = provider;
  }

  readonly run = async (
    agentWithoutHooks: Agent,
    input: RunInput,
    options: RunOptions = {},
  ): Promise<RunResult | StreamedRunResult> => {
    const agent = this.#agents.hook(agentWithoutHooks);
    const state = isRunState(input) ? await restoreState(input, agent, this.#agents) : undefined;
    const sessionId = options.conversationId ?? (options.session && (await options.session.getSessionId()));
    const scope = this.#openScope(agent, state, options, sessionId);
    try {
      const given = input as Exclude<RunInput, RunState>;
      // It was paused in another process, where `before_agent` was fired.
      if (state !== undefined && this.#paused.get(state) !== scope)
        await resumeTurn(scope.run, readPrompt(state.history));
      const sent = state ?? (this.#hasHooks ? await this.#begin(scope, given) : given);
      const result = await scope.enter(() => this.#run(agent, sent, options));
      if (isStreamed(result, options)) return this.#endLater(scope, result);
      const ending = this.#end(scope, result);
      if (ending !== undefined) await ending;
      return result;
    } catch (error) {
      throw await this.#fail(scope, error);
    }
  };

  /** Whether hooks need a run to be opened and ended. Also steps and stopped runs end there. */
  get #hasHooks(): boolean {
    return this.#hooked.hasHooks(EVENTS);
  }

  #openScope(
    agent: Agent,
    state: RunState | undefined,
    options: RunOptions,
    sessionId: string | undefined,
  ): Scope {
    const paused = state === undefined ? undefined : this.#paused.get(state);
    if (paused !== undefined && paused.run.stopped === undefined) {
      paused.run.follow(options.signal);
      return paused;
    }
    const { maxTurns = DEFAULT_MAX_TURNS, signal } = options;
    return this.#hooked.create(
      { agentName: agent.name, sessionId, signal, ...(maxTurns !== null && { maxSteps: maxTurns }) },
      this.#provider,
    );
  }

  async #begin(scope: Scope, input: Exclude<RunInput, RunState>): Promise<Exclude<RunInput, RunState>> {
    const prompt = readPrompt(input);
    const beginning = await beginTurn(scope.run, prompt);
    if (beginning.type === "refused") {
      const { error } = beginning;
      await endRun(scope.run, { status: error.code === "turn_refused" ? "stopped" : "failed", error });
      throw error;
    }
    const text = joinContext(beginning.message, beginning.context);
    return text === prompt ? input : changeText(input, text);
  }

  #endLater(scope: Scope, result: StreamedRunResult): StreamedRunResult {
    return endStream(
      result,
      async () => this.#end(scope, result),
      (error) => this.#fail(scope, error),
      () => scope.run.stopped?.by === "hook",
    );
  }

  /** Throws the error of an `after_agent` hook that reaches the caller. */
  #end(scope: Scope, result: RunResult): Promise<void> | undefined {
    // A runner may turn an error into an output.
    scope.check();
    if ((result.interruptions?.length ?? 0) > 0) {
      this.#paused.set(result.state, scope);
      return undefined;
    }
    return this.#hasHooks ? this.#complete(scope, result) : undefined;
  }

  async #complete({ run }: Scope, { finalOutput }: RunResult): Promise<void> {
    const text = typeof finalOutput === "string" ? { text: finalOutput } : {};
    const error = await endRun(run, { status: "completed", ...text });
    if (error !== undefined) throw error;
  }

  /** The error that the caller gets: of a stopped run its own, not the one that the SDK made of it. */
  async #fail(scope: Scope, thrown: unknown): Promise<unknown> {
    const ending = readFailure(scope.run, toError(thrown));
    const error = await endRun(scope.run, ending);
    return ending.status === "stopped" ? ending.error : error === ending.error ? thrown : error;
  }
}

function isStreamed(result: RunResult, { stream }: RunOptions): result is StreamedRunResult {
  return stream === true && "completed" in result;
}
