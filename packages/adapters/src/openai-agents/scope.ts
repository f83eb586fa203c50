import { AsyncLocalStorage } from "node:async_hooks";
import type { Hooks } from "@tenterhook/engine";
import type { AroundPoint } from "@tenterhook/engine/host";
import { BoundedMap } from "@tenterhook/internal";
import { type EventName, TenterhookError } from "@tenterhook/protocol";
import {
  childHooks,
  type FrameworkRun,
  findParent,
  type HostRun,
  mayHaveOneOf,
  type SupportCheck,
  startFrameworkRun,
} from "../core/index.ts";
import type { OpenAiOptions } from "./options.ts";
import type { ModelProvider, ModelRequest, RunContext } from "./sdk.ts";
import { SUPPORT } from "./support.ts";

/** One run of an agent, or of a tool that is an agent, with its hooks. */
export class Scope {
  /** The set of hooks that was given; a subagent's run has a set that inherits from it. */
  readonly source: Hooks;
  /** Resolves names of models; absent if the runner has no hooks. */
  readonly provider: ModelProvider | undefined;
  /** The scope around this one, of another set of hooks. */
  readonly outer: Scope | undefined;
  /** The run that this one is nested in. */
  readonly parent: HostRun | undefined;
  /** Why hooks refused handoffs, by the id of the call. */
  readonly refusedHandoffs = new Map<string, string>();
  /** The handoff that was refused last, until its call is found in the conversation. */
  lastRefusal: { readonly toolName: string; readonly reason: string } | undefined;
  /** Whether the agent has given its final answer. */
  isFinished = false;
  /** The error of its last model call, if that failed. */
  failure: Error | undefined;
  /** Whether it waits for a person's approval. */
  isPaused = false;
  /** The calls that were stored for it. */
  readonly calls: string[] = [];
  /** Whether `start` was called. */
  isStarted = false;
  readonly #createRun: (parent: HostRun | undefined) => HostRun;
  #run: HostRun | undefined;

  constructor(
    source: Hooks,
    createRun: (parent: HostRun | undefined) => HostRun,
    provider: ModelProvider | undefined,
    parent = findParent(),
  ) {
    this.source = source;
    this.#createRun = createRun;
    this.provider = provider;
    this.outer = current.getStore();
    this.parent = parent;
  }

  /** Not created before a hook needs it. */
  get run(): HostRun {
    this.#run ??= this.#createRun(this.parent);
    return this.#run;
  }

  /** Throws the error of a run that a hook stopped. */
  check(): void {
    this.#run?.check();
  }

  /** Refuses the run if hooks appeared that would not be called; only needed where no runner with hooks does it. */
  async start(): Promise<void> {
    if (this.isStarted) return;
    this.isStarted = true;
    const problem = await this.run.init.refusal?.();
    if (problem !== undefined) throw new TenterhookError("turn_refused", problem);
  }

  /** Runs a function, and all that it starts, in this scope. */
  enter<R>(operation: () => R): R {
    return current.run(this, operation);
  }
}

const current = new AsyncLocalStorage<Scope>();

/** What agents with the same set of hooks share: calls of one run reach different agents. */
interface KnownScopes {
  readonly byCall: BoundedMap<string, Scope>;
  readonly byContext: WeakMap<RunContext, Scope>;
}

const known = new WeakMap<Hooks, KnownScopes>();

/** A limit on calls that were proposed and never executed. */
const MAX_CALLS = 10_000;

/** A set of hooks with its options, and the runs that it is used in. */
export class HookedScopes {
  readonly hooks: Hooks;
  readonly options: OpenAiOptions;
  /** Set once it is known which events the agent can fire. */
  check: SupportCheck | undefined;
  readonly #known: KnownScopes;

  constructor(hooks: Hooks, options: OpenAiOptions) {
    this.hooks = hooks;
    this.options = options;
    const scopes = known.get(hooks) ?? {
      byCall: new BoundedMap(MAX_CALLS),
      byContext: new WeakMap(),
    };
    known.set(hooks, scopes);
    this.#known = scopes;
  }

  /** Whether there are hooks on any of these events, or sources that may register some. */
  hasHooks(events: readonly EventName[], point?: AroundPoint): boolean {
    return mayHaveOneOf(this.hooks, events, point);
  }

  create(details: Omit<FrameworkRun, "support" | "options">, provider?: ModelProvider): Scope {
    const { check, options, hooks } = this;
    const createRun = (parent: HostRun | undefined) =>
      startFrameworkRun(hooks, { support: SUPPORT, options, check, parent, ...details });
    return new Scope(hooks, createRun, provider);
  }

  /** The scope of a subagent's run. Its hooks are those of the delegating run, except the ones on events of that run's own turn. */
  createChild(parent: Scope, details: Pick<FrameworkRun, "delegation">): Scope {
    const hooks = childHooks(this.hooks);
    const options = { ...this.options, agent: undefined };
    const createRun = (run: HostRun | undefined) =>
      startFrameworkRun(hooks, { ...details, support: SUPPORT, options, parent: run });
    return new Scope(this.hooks, createRun, parent.provider, parent.run);
  }

  /**
   * The scope of a model call. A runner without hooks has none: then the results in the conversation tell which run it belongs to.
   * Throws if the agent needs a runner with hooks.
   */
  findForModel({ input, signal }: ModelRequest, agentName: string): Scope {
    const entered = this.#findEntered();
    if (entered !== undefined) return entered;
    this.#requireNoRunner(agentName);
    const last =
      typeof input === "string" ? undefined : input.findLast(({ type }) => type === "function_call_result");
    const scope = this.#known.byCall.get(String(last?.callId));
    // A conversation may be continued after a hook stopped its last run.
    if (scope !== undefined && scope.run.stopped === undefined) return scope;
    return this.create({ agentName, signal });
  }

  /** The scope of a tool call. */
  findForCall(context: RunContext, callId: string, agentName: string): Scope {
    const entered = this.#findEntered();
    if (entered !== undefined) return entered;
    this.#requireNoRunner(agentName);
    const { byCall, byContext } = this.#known;
    const scope = byCall.get(callId) ?? byContext.get(context) ?? this.create({ agentName });
    byContext.set(context, scope);
    return scope;
  }

  /** Stores which run the calls of an answer belong to, for runners without hooks. */
  recordCalls(scope: Scope, callIds: readonly string[]): void {
    if (this.#findEntered() !== undefined) return;
    const { byCall } = this.#known;
    if (callIds.length === 0) for (const id of scope.calls.splice(0)) byCall.delete(id);
    for (const id of callIds) byCall.set(id, scope);
    scope.calls.push(...callIds);
  }

  #findEntered(): Scope | undefined {
    let scope = current.getStore();
    while (scope !== undefined && scope.source !== this.hooks) scope = scope.outer;
    return scope;
  }

  #requireNoRunner(agentName: string): void {
    if (this.options.runner !== true) return;
    const problem = `the agent "${agentName}" was run by a runner without its hooks.`;
    const hint = "Run it with withHooks(new Runner(), hooks).";
    throw new TenterhookError("unsupported_hook", problem, { hint });
  }
}
