import type { Hooks } from "@tenterhook/engine";
import {
  type AroundPoint,
  addHost,
  hasSources,
  listMissingEffects,
  listWrappers,
  type NewRegistration,
} from "@tenterhook/engine/host";
import {
  EVENT_NAMES,
  type EventName,
  eventRow,
  type HookDescriptor,
  TenterhookError,
} from "@tenterhook/protocol";
import { mayDecide } from "@tenterhook/protocol/internal";
import { type AdapterOptions, warnOnce } from "./adapter-options.ts";
import { type AdapterSupport, checkPeerOnce, readSupport } from "./support.ts";

const POINTS = ["around_llm", "around_tool"] as const;

function isPoint(event: EventName | AroundPoint): event is AroundPoint {
  return event === "around_llm" || event === "around_tool";
}

interface CheckedRegistration extends NewRegistration {
  /** A hook of a source, with `on_error: continue`: where it would not be called, that is only reported. */
  readonly mayFail?: boolean | undefined;
}

/** A set of hooks as one agent inside a framework has it. */
export interface AgentHooks {
  readonly hooks: Hooks;
  readonly support: AdapterSupport;
  readonly options: AdapterOptions;
  readonly warn: (message: string) => void;
  /** The reason to refuse a run; absent where the run around it has been checked. */
  readonly findRefusal?: (() => Promise<string | undefined>) | undefined;
}

/**
 * Checks which hooks of a set are enforced by an agent with these extension points: throws for the first one that would not be called, now or
 * where it is registered later, and emits one warning for all that there is to say about the others, and one for an unknown version of the
 * framework.
 */
export function checkSupport(
  hooks: Hooks,
  support: AdapterSupport,
  options: AdapterOptions,
  installed: ReadonlySet<EventName | AroundPoint> = listSupported(support),
): AgentHooks {
  const { warn = warnOnce } = options;
  const ignored = new Set<EventName | AroundPoint>(options.ignoredEvents);

  const findGap = (event: EventName | AroundPoint): string | undefined => {
    if (installed.has(event) || ignored.has(event)) return undefined;
    if (isPoint(event))
      return support.around[event] === undefined
        ? `${support.name} has no extension point for it`
        : NOT_INSTALLED;
    const { level, by } = readSupport(support, event);
    return level === "none" ? by : NOT_INSTALLED;
  };

  const describe = ({ name, event }: NewRegistration): TenterhookError => {
    const why = findGap(event);
    const problem = `it would not be called by ${support.name}: ${why}.`;
    return new TenterhookError("unsupported_hook", problem, { hook: name, event, hint: findHint(why) });
  };

  /** What to warn of: `on before_step: …`. Throws for a hook that would not be called, unless nothing is enforced by it or it may fail. */
  const findProblem = (registration: CheckedRegistration): string | undefined => {
    const { event, onlyObserves, mayFail } = registration;
    const why = findGap(event);
    if (why === undefined)
      return onlyObserves || isPoint(event) || ignored.has(event)
        ? undefined
        : describeMissingEffects(support, event);
    if (!isObserver(registration) && mayFail !== true) throw describe(registration);
    return `on ${event}: not called by ${support.name}: ${why}. ${findHint(why)}`;
  };

  const checkAll = (registrations: readonly CheckedRegistration[]): void => {
    const problems = new Map<string, string[]>();
    for (const registration of registrations) {
      const problem = findProblem(registration);
      if (problem === undefined) continue;
      const names = problems.get(problem) ?? [];
      if (!names.includes(registration.name)) names.push(registration.name);
      problems.set(problem, names);
    }
    if (problems.size === 0) return;
    warn([...problems].map(([problem, names]) => `${formatNames(names)} ${problem}`).join("\n"));
  };

  /** A guard from a file may appear after the agent was built. One whose `on_error` is `continue` is only reported. */
  const findRefusal = async (): Promise<string | undefined> => {
    if (!hasSources(hooks)) return undefined;
    for (const event of EVENT_NAMES) {
      if (installed.has(event) || ignored.has(event)) continue;
      await hooks.prepare(event);
      for (const hook of hooks.list(event)) {
        const registration = readRegistration(hook);
        const problem = describe(registration);
        if (!isObserver(registration) && hook.onError === "block") return problem.message;
        warn(problem.message);
      }
    }
    return undefined;
  };

  checkPeerOnce(support, warn);
  checkAll(listRegistrations(hooks));
  addHost(hooks, {
    key: `${support.adapter}: ${[...installed].sort().join(" ")}; ${[...ignored].sort().join(" ")}`,
    name: support.name,
    findGap,
    check: (registration) => {
      // A source of hooks registers in the middle of a dispatch and must not fail: `findRefusal` finds its hooks.
      if (registration.source === "code") checkAll([registration]);
    },
  });
  return { hooks, support, options, warn, findRefusal };
}

/** What a hook will answer is not known before it is called. */
function describeMissingEffects(support: AdapterSupport, event: EventName): string | undefined {
  const missing = listMissingEffects(support, event);
  if (missing.length === 0) return undefined;
  const answers = missing.map((effect) => (effect === "patch" ? "a change" : effect)).join(", ");
  const what =
    eventRow(event).failure.action === "record"
      ? "they are reported and have no effect."
      : "a run in which a hook answers so fails.";
  return `on ${event}: ${support.name} cannot carry out these answers there: ${answers}; ${what}`;
}

const NOT_INSTALLED = "no hook needed this extension point when the agent was built, so it is not installed";

function findHint(why: string | undefined): string {
  return why === NOT_INSTALLED
    ? 'Register before the agent is built, or give the adapter { events: "all" }.'
    : "Use another event, or name this one in ignoredEvents.";
}

/** `hook "a"`, `hooks "a", "b"`. */
function formatNames(names: readonly string[]): string {
  return `${names.length === 1 ? "hook" : "hooks"} ${names.map((name) => JSON.stringify(name)).join(", ")}`;
}

/** All events that an adapter can fire, for adapters that install every extension point. */
export function listSupported({ events, around }: AdapterSupport): Set<EventName | AroundPoint> {
  const fired = EVENT_NAMES.filter((event) => events[event] !== undefined && events[event].level !== "none");
  return new Set([...fired, ...(Object.keys(around) as AroundPoint[])]);
}

/** Those that have hooks now, or all with `events: "all"`. */
export function listNeeded(
  hooks: Hooks,
  support: AdapterSupport,
  options: AdapterOptions,
): Set<EventName | AroundPoint> {
  const supported = listSupported(support);
  if (options.events === "all") return supported;
  const used = new Set(listRegistrations(hooks).map(({ event }) => event));
  return new Set([...supported].filter((event) => used.has(event)));
}

/** All that it can fire, without the groups of `separate` that no hook needs now. A source of hooks may need each later. */
export function listInstalled(
  hooks: Hooks,
  support: AdapterSupport,
  options: AdapterOptions,
  separate: readonly (readonly EventName[])[],
): Set<EventName | AroundPoint> {
  const installed = listSupported(support);
  if (hasSources(hooks)) return installed;
  const needed = listNeeded(hooks, support, options);
  const unneeded = separate.filter((events) => !events.some((event) => needed.has(event)));
  for (const event of unneeded.flat()) installed.delete(event);
  return installed;
}

/** All hooks and wrappers of a set. */
function listRegistrations(hooks: Hooks): readonly CheckedRegistration[] {
  const wrappers = POINTS.flatMap((event) =>
    listWrappers(hooks, event).map(
      ({ name, observes }): NewRegistration => ({ name, event, source: "code", onlyObserves: observes }),
    ),
  );
  return [...EVENT_NAMES.flatMap((event) => hooks.list(event)).map(readRegistration), ...wrappers];
}

function readRegistration(hook: HookDescriptor): CheckedRegistration {
  const { name, event, source, onError } = hook;
  const mayFail = source !== "code" && onError === "continue";
  return { name, event, source, onlyObserves: !mayDecide(hook), mayFail };
}

/** Whether nothing is enforced by it: it only observes, is not enforced, or its event decides nothing. */
function isObserver({ event, onlyObserves }: NewRegistration): boolean {
  if (onlyObserves) return true;
  if (isPoint(event)) return false;
  const { block, changes, outcomes } = eventRow(event);
  return block.action === "record" && Object.keys(changes).length === 0 && !outcomes.includes("recover");
}
