import {
  EVENT_NAMES,
  type EventAlias,
  type EventName,
  type HookDescriptor,
  type Payload,
  TenterhookError,
} from "@tenterhook/protocol";
import { mayDecide, type ResolvedEvent } from "@tenterhook/protocol/internal";
import type { DispatchOptions, EffectsOf, RunOptions } from "./context/dispatch-options.ts";
import { loadEffects } from "./match/call-effects.ts";
import type { MatcherFor } from "./match/matcher.ts";
import { EventHooks } from "./plan/event-hooks.ts";
import { type Explanation, explain } from "./plan/explain.ts";
import {
  createHook,
  defaultName,
  type Handler,
  type Hook,
  type HookOptions,
  type Middleware,
  resolveEvents,
  unknownEvent,
} from "./register/hook.ts";
import {
  type AroundPoint,
  type HookHost,
  HookHosts,
  type Preparation,
  Preparations,
} from "./register/inherited.ts";
import {
  Around,
  type AroundHandler,
  type AroundOptions,
  type EventBefore,
  type Operation,
  type WrapperDescriptor,
} from "./run/around.ts";
import {
  type Dispatch,
  dispatchHooks,
  newRuntime,
  type Runtime,
  withEffectsOf,
} from "./run/dispatch-hooks.ts";
import type { HookLifecycleEvent } from "./trace/hook-lifecycle-event.ts";
import type { Instrument, InstrumentOptions, Report, Trace } from "./trace/trace.ts";

/** Removes a registration; calling it again does nothing. */
export type Unregister = () => void;

/** How a set of hooks behaves; every option has a default. */
export interface HooksOptions {
  /** Keep trace entries. Default true. */
  readonly trace?: boolean;
  /** Takes failures that decide nothing and are reported nowhere else. Default: a process warning. */
  readonly report?: Report;
  /** What the program's own tools do, for matchers with `effect`: `{ bash: "Shell", save: "WriteFile" }`. */
  readonly effectsOf?: EffectsOf | undefined;
  /** Other sets whose hooks, wrappers, sources and listeners count here too, also those that come later. */
  readonly inherits?: Hooks | readonly Inheritance[];
}

/** What a set inherits from another one. That other one drains the background hooks of both. */
export interface Inheritance {
  readonly from: Hooks;
  /** Events for which the other set's hooks are not called here. */
  readonly except?: readonly EventName[];
}

type Name = EventName | EventAlias;

/** Unique in the process, so that a listener of several sets can distinguish their hooks. */
let ids = 0;

/** Makes a set of hooks: register with `on` and `use`, fire with `dispatch`. */
export function createHooks(options: HooksOptions = {}): Hooks {
  return new Hooks(options);
}

/** What `@tenterhook/engine/host` needs to know of a set. */
interface Internals {
  reservePosition(hooks: Hooks): number;
  addHost(hooks: Hooks, host: HookHost): void;
  hasSources(hooks: Hooks): boolean;
  hasHooks(hooks: Hooks, event: EventName): boolean;
  hasWrappers(hooks: Hooks, point: AroundPoint): boolean;
  listWrappers(hooks: Hooks, point: AroundPoint): readonly WrapperDescriptor[];
}

/** One object for all sets: hosts ask for every call of a model or a tool. */
export let internals: Internals;

/** A set of hooks and the engine that runs them. */
export class Hooks {
  readonly #events: ReadonlyMap<EventName, EventHooks>;
  readonly #ids = new Set<string>();
  readonly #around: Around;
  readonly #runtime: Runtime;
  #registered = 0;
  readonly #preparations: Preparations;
  readonly #hosts: HookHosts;

  static {
    internals = {
      reservePosition: (hooks) => ++hooks.#registered,
      addHost: (hooks, host) => hooks.#hosts.add(host),
      hasSources: (hooks) => hooks.#preparations.exist,
      hasHooks: (hooks, event) => !hooks.#hooksOf(event).isEmpty,
      hasWrappers: (hooks, point) => hooks.#around.has(point),
      listWrappers: (hooks, point) => hooks.#around.list(point),
    };
  }

  constructor(options: HooksOptions = {}) {
    const { inherits = [] } = options;
    const parents: readonly Inheritance[] = inherits instanceof Hooks ? [{ from: inherits }] : inherits;
    const inherited = (event: EventName) =>
      parents.flatMap(({ from, except = [] }) => (except.includes(event) ? [] : [from.#hooksOf(event)]));
    this.#events = new Map(EVENT_NAMES.map((event) => [event, new EventHooks(event, inherited(event))]));
    this.#preparations = new Preparations(parents.map(({ from }) => from.#preparations));
    this.#hosts = new HookHosts(parents.map(({ from }) => from.#hosts));
    this.#around = new Around(parents.map(({ from }) => from.#around));
    const runtimes = parents.map(({ from }) => from.#runtime);
    this.#runtime = newRuntime(options, runtimes);
  }

  /** Registers a hook on an event, on several, or on an alias of one. Returns the function that unregisters it. */
  on<const N extends Name>(
    event: N | readonly N[],
    handler: Handler<ResolvedEvent<N>>,
    options: HookOptions<MatcherFor<ResolvedEvent<N>>> = {},
  ): Unregister {
    return this.#register(event, handler, options);
  }

  /** Registers a hook that wraps the ones behind it. */
  use<const N extends Name>(
    event: N | readonly N[],
    middleware: Middleware<ResolvedEvent<N>> | Middleware<ResolvedEvent<N>>["handle"],
    options: HookOptions<MatcherFor<ResolvedEvent<N>>> = {},
  ): Unregister {
    const hook = typeof middleware === "function" ? { handle: middleware } : middleware;
    return this.#register(event, hook, options, defaultName(middleware));
  }

  /** Wraps the model call or the tool call itself: retry, fall back, cache, measure. */
  around<P extends AroundPoint>(
    point: P,
    handler: AroundHandler<P>,
    options: AroundOptions<MatcherFor<EventBefore<P>>> = {},
  ): Unregister {
    const { name, observes } = Object(options) as AroundOptions;
    const onlyObserves = observes === true;
    this.#hosts.check({ name: name ?? (handler?.name || point), event: point, source: "code", onlyObserves });
    return this.#around.add(point, handler, options);
  }

  /** Runs an operation inside the wrappers of its point. */
  call<P extends AroundPoint, R>(
    point: P,
    payload: Operation<P>,
    operation: (payload: Operation<P>) => R | Promise<R>,
    options?: RunOptions,
  ): Promise<R> {
    return this.#around.call(point, payload, operation, withEffectsOf(this.#runtime, options));
  }

  /** Calls the hooks of an event. It does not throw for what hooks do: the dispatch says how it ended. */
  dispatch<E extends EventName>(
    event: E,
    payload: Payload<E>,
    options?: DispatchOptions<E>,
  ): Promise<Dispatch<E>> {
    // Not an async function: that would add ticks to a promise that exists already.
    return dispatchHooks(this.#runtime, this.#preparations, this.#events, event, payload, options);
  }

  /**
   * Lets sources of hooks register their hooks for an event, and loads what reads the effects of calls; `dispatch` does so by itself,
   * `explain` does not.
   */
  async prepare(event: EventName): Promise<void> {
    await this.#preparations.run(event);
    if (this.#hooksOf(event).hooks.some(({ matcher }) => matcher?.needsEffects)) await loadEffects();
  }

  /** Which hooks would be called, in which order, and why the others would not. Only predicates run. */
  explain<E extends EventName>(event: E, payload: Payload<E>): Explanation {
    const explanation = explain(
      event,
      payload,
      this.#hooksOf(event).hooks,
      withEffectsOf(this.#runtime, undefined),
    );
    const notCalledBy = this.#hosts.findGaps(event);
    return notCalledBy.length === 0 ? explanation : { ...explanation, notCalledBy };
  }

  /** The hooks of an event, or all of them, in the order they run. */
  list(event?: EventName): readonly HookDescriptor[] {
    const of = event === undefined ? [...this.#events.values()] : [this.#hooksOf(event)];
    return of.flatMap(({ hooks }) => hooks.map(({ descriptor }) => descriptor));
  }

  /** Calls a function before every dispatch, so that a source of hooks can register what has changed. It must not throw. */
  beforeEachDispatch(prepare: Preparation): Unregister {
    return this.#preparations.add(prepare);
  }

  /** Listens to what happens to hooks. */
  onHookEvent(listener: (event: HookLifecycleEvent) => void): Unregister {
    return this.#runtime.observers.addHookEventListener(listener);
  }

  /** Listens to the trace of every dispatch that called a hook. */
  onTrace(listener: (trace: Trace) => void): Unregister {
    return this.#runtime.observers.addTraceListener(listener);
  }

  /** Follows every hook while it runs; the port behind the OpenTelemetry listener. */
  instrument(instrument: Instrument, options?: InstrumentOptions): Unregister {
    return this.#runtime.observers.addInstrument(instrument, options);
  }

  /** How many background hooks have not ended. */
  get pending(): number {
    return this.#runtime.background.size;
  }

  /** Waits for all background hooks, also for those that start meanwhile; false when the time ran out first. */
  drain(options?: { readonly timeoutMs?: number }): Promise<boolean> {
    return this.#runtime.background.drain(options);
  }

  /** Ends all background hooks through their signals. */
  cancel(reason?: unknown): void {
    this.#runtime.background.cancel(reason);
  }

  /**
   * What a host calls before it exits: background hooks may finish, but only for so long (default: five seconds), and then
   * they are ended and reported. Resolves to how many were ended.
   */
  async close({ timeoutMs = 5_000 }: { readonly timeoutMs?: number } = {}): Promise<number> {
    if (await this.drain({ timeoutMs })) return 0;
    const left = this.pending;
    this.cancel(`the host exits and did not wait longer than ${timeoutMs} ms`);
    return left;
  }

  #hooksOf(event: EventName): EventHooks {
    const hooks = this.#events.get(event);
    if (hooks === undefined) throw unknownEvent(event);
    return hooks;
  }

  #register(
    names: Name | readonly Name[],
    hook: unknown,
    options: HookOptions,
    functionName = defaultName(hook),
  ): Unregister {
    const events = resolveEvents(typeof names === "string" ? [names] : names);
    const number = ++this.#registered;
    // `createHook` rejects options that are not an object.
    const { id: givenId, name: givenName, position = number } = Object(options) as HookOptions;
    const id = givenId ?? `hook-${++ids}`;
    if (this.#ids.has(id)) {
      throw new TenterhookError("duplicate_hook", `there is a hook with the id "${id}" already.`, {
        hook: givenName ?? id,
        hint: "Unregister the other one first, or leave the id out.",
      });
    }
    const registered: readonly Hook[] = events.map((event) => {
      const name = givenName ?? functionName ?? `${event}#${number}`;
      return createHook(event, hook, options, { id, name, position });
    });
    for (const { descriptor } of registered) {
      const { name, event, source } = descriptor;
      this.#hosts.check({ name, event, source, onlyObserves: !mayDecide(descriptor) });
    }
    this.#ids.add(id);
    for (const each of registered) {
      this.#hooksOf(each.descriptor.event).add(each);
      this.#runtime.observers.hookEvent("hook:registered", each.descriptor);
    }
    return () => {
      if (!this.#ids.delete(id)) return;
      for (const each of registered) {
        this.#hooksOf(each.descriptor.event).remove(each);
        this.#runtime.observers.hookEvent("hook:unregistered", each.descriptor);
      }
    };
  }
}
