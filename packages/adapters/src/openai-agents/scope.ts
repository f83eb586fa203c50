import { AsyncLocalStorage } from "node:async_hooks";
import type { Hooks } from "@tenterhook/engine";
import { childHooks, type Delegation, type HostRun } from "@tenterhook/engine/host";
import { BoundedMap } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import {
  type AdapterOptions,
  type AgentHooks,
  type FrameworkRun,
  startFrameworkRun,
  warnOnce,
} from "../core/index.ts";
import type { ModelProvider, ModelRequest, RunContext } from "./sdk.ts";
import { SUPPORT } from "./support.ts";

/** The options of this adapter. */
export interface OpenAiOptions extends AdapterOptions {
  /**
   * The agent is only run by a runner that has these hooks, or as a tool of an agent that does; run by another runner it refuses to
   * start. Default false: any runner may run the agent; a hook on `before_agent` is an error, and `after_agent` and `agent_failed` are
   * not fired.
   */
  readonly runner?: boolean | undefined;
}

/** One run of an agent, or of a tool that is an agent, with its hooks. */
export interface Scope {
  readonly run: HostRun;
  /** The set of hooks that was given; a subagent's run has a set that inherits from it. */
  readonly source: Hooks;
  /** Resolves names of models; absent if the runner has no hooks. */
  readonly provider: ModelProvider | undefined;
  /** The scope around this one, of another set of hooks. */
  readonly outer: Scope | undefined;
  /** Why hooks refused handoffs, by the id of the call. */
  readonly refusedHandoffs: Map<string, string>;
  /** The handoff that was refused last, until its call is found in the conversation. */
  lastRefusal: { readonly toolName: string; readonly reason: string } | undefined;
  /** Whether the agent has given its final output. */
  isFinished: boolean;
  /** The error of its last model call, if that failed. */
  failure: Error | undefined;
  /** Whether it waits for a person's approval. */
  isPaused: boolean;
  /** The calls that were stored for it. */
  readonly calls: string[];
}

const current = new AsyncLocalStorage<Scope>();

/** Runs a function, and all that it starts, in a scope. */
export function enterScope<R>(scope: Scope, operation: () => R): R {
  return current.run(scope, operation);
}

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
  readonly warn: AgentHooks["warn"];
  readonly #findRefusal: AgentHooks["findRefusal"];
  readonly #known: KnownScopes;

  /** `findRefusal` is known once it is known which events the agent can fire. */
  constructor(hooks: Hooks, options: OpenAiOptions, findRefusal?: AgentHooks["findRefusal"]) {
    this.hooks = hooks;
    this.options = options;
    this.#findRefusal = findRefusal;
    this.warn = options.warn ?? warnOnce;
    this.#known = known.get(hooks) ?? { byCall: new BoundedMap(MAX_CALLS), byContext: new WeakMap() };
    known.set(hooks, this.#known);
  }

  create(details: FrameworkRun, provider?: ModelProvider): Scope {
    const { hooks, options, warn } = this;
    const agentHooks = { hooks, support: SUPPORT, options, warn, findRefusal: this.#findRefusal };
    return this.#open(startFrameworkRun(agentHooks, details), provider);
  }

  /** The scope of a subagent's run. Its hooks are those of the delegating run, except the ones on events of that run's own turn. */
  createChild({ run: parent, provider }: Scope, delegation: Delegation): Scope {
    const { warn } = this;
    const options = { ...this.options, agent: undefined };
    const agentHooks = { hooks: childHooks(this.hooks), support: SUPPORT, options, warn };
    return this.#open(startFrameworkRun(agentHooks, { parent, delegation }), provider);
  }

  #open(run: HostRun, provider: ModelProvider | undefined): Scope {
    return {
      run,
      provider,
      source: this.hooks,
      outer: current.getStore(),
      refusedHandoffs: new Map(),
      lastRefusal: undefined,
      isFinished: false,
      failure: undefined,
      isPaused: false,
      calls: [],
    };
  }

  /**
   * The scope of a model call. A runner without hooks has none: then the results in the conversation tell which run it belongs to.
   * Throws if the agent needs a runner with hooks.
   */
  findForModel({ input, signal }: ModelRequest, agentName: string): Scope {
    const entered = this.findEntered();
    if (entered !== undefined) return entered;
    this.#requireNoRunner(agentName);
    const last =
      typeof input === "string" ? undefined : input.findLast(({ type }) => type === "function_call_result");
    const scope = this.#known.byCall.get(String(last?.callId));
    // A conversation may be continued after a hook stopped its last run.
    if (scope === undefined || scope.run.stopped !== undefined) return this.create({ agentName, signal });
    // A call that failed released it.
    const { run } = scope;
    for (const each of [signal, run.init.parent?.signal])
      if (each !== undefined && !run.signal.follows(each)) run.signal.follow(each);
    return scope;
  }

  /** The scope of a tool call. */
  findForCall(context: RunContext, callId: string, agentName: string): Scope {
    const entered = this.findEntered();
    if (entered !== undefined) return entered;
    this.#requireNoRunner(agentName);
    const { byCall, byContext } = this.#known;
    const scope = byCall.get(callId) ?? byContext.get(context) ?? this.create({ agentName });
    byContext.set(context, scope);
    return scope;
  }

  /** Stores which run the calls of an answer belong to, for runners without hooks. */
  recordCalls(scope: Scope, callIds: readonly string[]): void {
    if (this.findEntered() !== undefined) return;
    const { byCall } = this.#known;
    if (callIds.length === 0) {
      for (const id of scope.calls.splice(0)) byCall.delete(id);
      this.releaseBare(scope);
    }
    for (const id of callIds) byCall.set(id, scope);
    scope.calls.push(...callIds);
  }

  /** Ends listening to the caller's signal where the runner has no hooks: such a run has no other end. */
  releaseBare({ run }: Scope): void {
    if (this.findEntered() === undefined) run.signal.release();
  }

  /** The scope that the code runs in. */
  findEntered(): Scope | undefined {
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

const hookedBy = new WeakMap<object, ReadonlySet<Hooks>>();

/** Whether an agent or a tool has these hooks, so that none is called twice. */
export function isHooked(target: object, hooks: Hooks): boolean {
  return hookedBy.get(target)?.has(hooks) === true;
}

/** Notes that an agent or a tool has these hooks, besides those that it had. */
export function noteHooked(target: object, hooks: Hooks): void {
  hookedBy.set(target, new Set(hookedBy.get(target)).add(hooks));
}

/** A copy with all properties: not by a method of the SDK, which would make an object of the base class, without listeners. */
export function copyObject<T extends object>(target: T): T {
  const copy = Object.create(Object.getPrototypeOf(target), Object.getOwnPropertyDescriptors(target)) as T;
  hookedBy.set(copy, new Set(hookedBy.get(target)));
  return copy;
}
