// Hooks as a configuration object, with names of its own for contexts and events.
import { didYouMean, formatValue, isInstanceOf, isRecord } from "@tenterhook/internal";
import { type EventName, TenterhookError } from "@tenterhook/protocol";
import { ALIASES } from "@tenterhook/protocol/internal";
import type { Hooks, Unregister } from "../../hooks.ts";
import { predicate } from "../../match/matcher.ts";
import { checkKnownOptions } from "../../register/hook.ts";
import type { HookLifecycleEvent } from "../../trace/hook-lifecycle-event.ts";
import { createHandler, HOOK_TYPES } from "./handlers.ts";
import type {
  ConfigHook,
  HookEvent,
  HookEventHandler,
  HookEventType,
  HookRegistrationOptions,
  HooksConfig,
  HookType,
} from "./types.ts";

export type * from "./types.ts";

/** A call that permissions refused, that fits no tool, or that the provider made itself has neither `beforeTool` nor `afterTool`. */
const HAD_BEFORE_TOOL = predicate<"after_tool" | "after_tool_failure">(
  ({ context }) => context?.beforeToolFired !== false,
  "calls that had their beforeTool",
);

/** Unique in the process: several of these may share a set of hooks, or use sets that inherit from each other. */
let lastId = 0;

/** Hooks registered by type, or all at once from a configuration object, on a set of hooks. */
export class ConfigHooks {
  readonly #hooks: Hooks;
  readonly #unregister = new Map<string, Unregister>();
  #registered = 0;

  constructor(hooks: Hooks, config?: HooksConfig) {
    this.#hooks = hooks;
    if (config !== undefined) this.registerAll(config);
  }

  /** Registers a hook and returns its id. */
  register<T extends HookType>(type: T, hook: ConfigHook<T>, options: HookRegistrationOptions = {}): string {
    const events = findEvents(type);
    checkKnownOptions(options, ["name", "priority", "rejudge", "enforce"], { hook: hook?.name || type });
    this.#registered++;
    const name = options.name ?? (hook?.name || `${type}#${this.#registered}`);
    if (typeof hook !== "function") {
      throw new TenterhookError("bad_hook", `a ${type} hook must be a function, not ${formatValue(hook)}.`, {
        hook: name,
      });
    }
    const id = `config-${++lastId}`;
    const unregister = this.#hooks.on(events, createHandler(type, name, hook) as never, {
      id,
      name,
      source: "config",
      // Results of observers are not read, so an answer can stream past them.
      observes: HOOK_TYPES[type].outcome === undefined,
      // Lower first: the opposite of the engine's order. Zero stays zero, not minus zero.
      priority: options.priority === undefined ? 0 : 0 - options.priority,
      // A rate limiter in such a list counts its calls, and would refuse the call that it has admitted.
      rejudge: options.rejudge ?? false,
      enforce: options.enforce,
      ...(type === "afterTool" && { matcher: HAD_BEFORE_TOOL }),
    });
    this.#unregister.set(id, unregister);
    return id;
  }

  /** Registers every hook of a configuration, in its order; returns their ids. */
  registerAll(config: HooksConfig): readonly string[] {
    const lists = readConfig(config);
    return lists.flatMap(([type, hooks]) => hooks.map((hook) => this.register(type, hook as never)));
  }

  /** The ids of all hooks, or of those of one type, which are in the order in which they are called. */
  getHookIds(type?: HookType): readonly string[] {
    const descriptors =
      type === undefined ? this.#hooks.list() : findEvents(type).flatMap((event) => this.#hooks.list(event));
    const ids = new Set(descriptors.map(({ id }) => id));
    return [...ids].filter((id) => this.#unregister.has(id));
  }

  /** The number of hooks, or of hooks of one type. */
  count(type?: HookType): number {
    return this.getHookIds(type).length;
  }

  /** Removes a hook; false when there is none with this id. */
  unregister(id: string): boolean {
    this.#unregister.get(id)?.();
    return this.#unregister.delete(id);
  }

  /** Removes all hooks, or all of one type. */
  clear(type?: HookType): void {
    for (const id of this.getHookIds(type)) this.unregister(id);
  }

  /** Calls a handler with the engine's hook events, under the names of this surface. */
  onEvent(handler: HookEventHandler): Unregister {
    return this.#hooks.onHookEvent((event) => {
      const translated = translate(event);
      if (translated !== undefined) handler(translated);
    });
  }
}

/** The events of a type. Throws `unknown_event` if it does not exist. */
function findEvents(type: HookType): readonly EventName[] {
  if (Object.hasOwn(HOOK_TYPES, type)) return ALIASES[type].events;
  const types = Object.keys(HOOK_TYPES);
  throw new TenterhookError("unknown_event", `there is no hook type "${type}".`, {
    hint: didYouMean(type, types, `The types are ${types.join(", ")}.`),
  });
}

/** Throws `bad_hook` for a configuration that is not one, before any of its hooks is registered. */
function readConfig(config: HooksConfig): (readonly [HookType, readonly ConfigHook<HookType>[]])[] {
  if (!isRecord(config)) {
    const problem = `hooks must be an object with lists of hooks, not ${formatValue(config)}.`;
    const hint = "Write { beforeTool: [hook] }, or pass a set of hooks from createHooks().";
    throw new TenterhookError("bad_hook", problem, { hint });
  }
  return Object.entries(config).map(([key, hooks = []]) => {
    const type = key as HookType;
    findEvents(type);
    if (Array.isArray(hooks)) return [type, hooks];
    const problem = `hooks.${type} must be a list of functions, not ${formatValue(hooks)}.`;
    throw new TenterhookError("bad_hook", problem, { hint: `Write ${type}: [hook].` });
  });
}

function translate(engineEvent: HookLifecycleEvent): HookEvent | undefined {
  const { type, event, hookId, hookName, durationMs, error, judging } = engineEvent;
  const types = Object.keys(HOOK_TYPES) as HookType[];
  const hookType = types.find((name) => findEvents(name).includes(event));
  if (hookType === undefined || !isHookEventType(type)) return undefined;
  // An afterTool hook is registered on two events, and reported once.
  const isRegistration = type === "hook:registered" || type === "hook:unregistered";
  if (isRegistration && event === "after_tool_failure") return undefined;
  return {
    type,
    hookType,
    hookId,
    hookName,
    ...(durationMs !== undefined && { durationMs }),
    // The hook's own error, not the engine's wrapper of it.
    ...(error !== undefined && { error: isInstanceOf(error.cause, Error) ? error.cause : error }),
    ...(judging && { judging }),
  };
}

function isHookEventType(type: HookLifecycleEvent["type"]): type is HookEventType {
  return type !== "hook:blocked" && type !== "hook:timeout";
}
