import { ALIASES, type EventName, TenterhookError } from "@tenterhook/protocol";
import type { Hooks, Undo } from "../hooks.ts";
import { predicate } from "../match/matcher.ts";
import type { HookEvent } from "../trace/hook-event.ts";
import { ADAPTERS, adapt } from "./config-adapters.ts";
import type { ConfigHook, HooksConfig, HookType } from "./config-contexts.ts";

export interface HookRegistrationOptions {
  readonly name?: string;
  /** Lower runs first here, unlike everywhere else. Default 0. */
  readonly priority?: number;
  /**
   * Whether to be asked again when a later hook changes what this one let pass; the context then says `judging: true`, and
   * only a refusal counts. Default: true for `beforeTool`, false for the types that have no way to refuse.
   */
  readonly rejudge?: boolean;
}

export type ConfigHookEventType =
  | "hook:registered"
  | "hook:unregistered"
  | "hook:started"
  | "hook:completed"
  | "hook:error";

/** What handlers of this surface are told, with its own names. */
export interface ConfigHookEvent {
  type: ConfigHookEventType;
  hookType: HookType;
  hookId?: string;
  hookName?: string;
  durationMs?: number;
  error?: Error;
  /** The hook was asked a second time, because a later one changed the value. */
  judging?: true;
}

const TOLD = new Set<string>([
  "hook:registered",
  "hook:unregistered",
  "hook:started",
  "hook:completed",
  "hook:error",
]);

/** A call that permissions refused, that fits no tool, or that the provider made itself has no `beforeTool`, and so no `afterTool`. */
const HAD_BEFORE_TOOL = predicate<"after_tool" | "after_tool_failure">(
  ({ context }) => context?.beforeToolFired !== false,
  "calls that had their beforeTool",
);

interface Registration {
  readonly type: HookType;
  readonly undo: Undo;
}

/** Of the whole process: several of these may stand on one set, or on sets that inherit from each other. */
let ids = 0;

/** Hooks registered by type, or all at once from a configuration object, over one set of hooks. */
export class ConfigHooks {
  readonly #hooks: Hooks;
  readonly #registered = new Map<string, Registration>();
  #number = 0;

  constructor(hooks: Hooks, config?: HooksConfig) {
    this.#hooks = hooks;
    if (config !== undefined) this.registerAll(config);
  }

  /** Registers a hook and returns its id. */
  register<T extends HookType>(type: T, hook: ConfigHook<T>, options: HookRegistrationOptions = {}): string {
    if (!Object.hasOwn(ADAPTERS, type)) {
      throw new TenterhookError("unknown_event", `there is no hook type "${String(type)}".`, {
        hint: `The types are ${Object.keys(ADAPTERS).join(", ")}.`,
      });
    }
    this.#number++;
    const name = options.name ?? (hook?.name || `${type}#${this.#number}`);
    if (typeof hook !== "function") {
      throw new TenterhookError("bad_hook", `a ${type} hook must be a function.`, { hook: name });
    }
    const id = `config-${++ids}`;
    const { rejudge = type === "beforeTool" } = options;
    const handler = adapt(type, name, hook) as never;
    const undo = this.#hooks.on(ADAPTERS[type].events as readonly EventName[], handler, {
      id,
      name,
      source: "config",
      // What these return is not read, so an answer need not wait for them.
      observes: type === "afterLLM" || type === "afterIteration",
      // Lower first: the opposite of ours. Zero stays zero, not minus zero.
      priority: options.priority === undefined ? 0 : 0 - options.priority,
      rejudge,
      ...(type === "afterTool" && { matcher: HAD_BEFORE_TOOL }),
    });
    this.#registered.set(id, { type, undo });
    return id;
  }

  /** Registers every hook of a configuration, in its order; returns their ids. */
  registerAll(config: HooksConfig): readonly string[] {
    return Object.entries(config).flatMap(([type, hooks]) =>
      ((hooks ?? []) as ConfigHook<HookType>[]).map((hook) => this.register(type as HookType, hook as never)),
    );
  }

  /** Removes a hook; false when there is none with this id. */
  unregister(id: string): boolean {
    const registration = this.#registered.get(id);
    registration?.undo();
    return this.#registered.delete(id);
  }

  /** Removes all hooks, or all of one type. */
  clear(type?: HookType): void {
    for (const [id, registration] of this.#registered) {
      if (type === undefined || registration.type === type) this.unregister(id);
    }
  }

  /** How many hooks there are, or how many of one type. */
  count(type?: HookType): number {
    const types = [...this.#registered.values()].map((registration) => registration.type);
    return type === undefined ? types.length : types.filter((other) => other === type).length;
  }

  /** Tells a handler what happens to hooks, in this surface's words. */
  onEvent(handler: (event: ConfigHookEvent) => void): Undo {
    return this.#hooks.onHookEvent((event) => {
      const translated = translate(event);
      if (translated !== undefined) handler(translated);
    });
  }
}

function translate({
  type,
  event,
  hookId,
  hookName,
  durationMs,
  error,
  judging,
}: HookEvent): ConfigHookEvent | undefined {
  const hookType = typeFor(event);
  if (hookType === undefined || !TOLD.has(type)) return undefined;
  // An afterTool hook stands on two events, and is told of as one.
  const isRegistration = type === "hook:registered" || type === "hook:unregistered";
  if (isRegistration && event === "after_tool_failure") return undefined;
  return {
    type: type as ConfigHookEventType,
    hookType,
    hookId,
    hookName,
    ...(durationMs !== undefined && { durationMs }),
    // The hook's own error, not our account of it.
    ...(error !== undefined && { error: error.cause instanceof Error ? error.cause : error }),
    ...(judging && { judging }),
  };
}

function typeFor(event: EventName): HookType | undefined {
  return (Object.keys(ADAPTERS) as HookType[]).find((type) =>
    (ALIASES[type].events as readonly EventName[]).includes(event),
  );
}
