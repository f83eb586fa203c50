import {
  didYouMean,
  formatValue,
  isInstanceOf,
  isPlainObject,
  isThenable,
  LONGEST_TIMER_MS,
  readField,
} from "@tenterhook/internal";
import {
  EVENT_NAMES,
  type EventName,
  eventRow,
  type HookDescriptor,
  type HookMode,
  type OnError,
  type OutcomeOf,
  type Patch,
  TenterhookError,
} from "@tenterhook/protocol";
import { type PatchArgument, resolveEvent } from "@tenterhook/protocol/internal";
import { shadows } from "../answer/shadow-answer.ts";
import { snapshot } from "../answer/snapshot.ts";
import {
  type Context,
  contextWithMatch,
  type MatchedEffect,
  newContext,
  runContextOf,
} from "../context/hook-context.ts";
import { describeMatch } from "../match/call-effects.ts";
import { type Matcher, type MatcherLike, toMatcher } from "../match/matcher.ts";
import { PatternBudget } from "../match/pattern.ts";
import { MatchSubject } from "../match/subject.ts";
import { askIfUnreadable } from "./unreadable.ts";

export type MaybePromise<T> = T | Promise<T>;

/** What a hook may return: an outcome that its event has, or nothing, which proceeds. */
// biome-ignore lint/suspicious/noConfusingVoidType: hooks that only observe are written as functions without a return.
export type Answer<E extends EventName> = OutcomeOf<E> | undefined | void;

/** A hook. It may throw: that is a failure, and `onError` says what it means for the action. */
export type Handler<E extends EventName> = (context: Context<E>) => MaybePromise<Answer<E>>;

/** Runs the hooks behind this one, at most once, optionally on a changed value, and returns their outcome. */
export type Next<E extends EventName> = (
  patch?: PatchArgument<Patch<E> | Context<E>>,
) => Promise<OutcomeOf<E>>;

/** A hook that wraps the ones behind it. Returning without having called `next` does not keep those from running. */
export interface Middleware<E extends EventName> {
  handle(context: Context<E>, next: Next<E>): MaybePromise<Answer<E>>;
}

/** When a hook is called, in which order, and what its failure means. */
export interface HookOptions<M extends MatcherLike = MatcherLike> {
  /** Shown in traces, logs and errors. Default: the function's name, else the event and a number. */
  readonly name?: string | undefined;
  /** Unique. Default: generated. */
  readonly id?: string | undefined;
  /** Any integer, higher first; ties in order of registration. Default 0. */
  readonly priority?: number | undefined;
  /** Which actions it is called for. Default: all. */
  readonly matcher?: M | undefined;
  /** Default `sync`. Background hooks start after the sync ones, on a frozen snapshot, and cannot change anything. */
  readonly mode?: HookMode | undefined;
  /** Default 30,000. Bounds the promise a hook returns; synchronous JavaScript cannot be interrupted. */
  readonly timeoutMs?: number | undefined;
  /** Default `block`. */
  readonly onError?: OnError | undefined;
  /** Background only: also run when something blocked, and be given the outcome. Default false. */
  readonly always?: boolean | undefined;
  /** Whether it is called again when a later hook changes what this one let pass. Default true, unless it only observes. */
  readonly rejudge?: boolean | undefined;
  /** It only observes, and may not change or refuse anything: a model's answer is streamed before it ends. Default false. */
  readonly observes?: boolean | undefined;
  /**
   * False: the hook is called and what it would have done is recorded, and nothing else follows from it. Other than with `observes` it may
   * answer what it likes. Default true.
   */
  readonly enforce?: boolean | undefined;
  /** Where the hook comes from. Default `code`. */
  readonly source?: string | undefined;
  /** Reads the text about the hook, such as the body of a HOOK.md, for readers of the trace. */
  readonly body?: (() => string) | undefined;
  /** A position from `reservePosition` of `@tenterhook/engine/host`: among equal priorities the hook stands there. Default: behind all others. */
  readonly position?: number | undefined;
}

/** A registered hook. */
export interface Hook {
  readonly descriptor: HookDescriptor;
  readonly handle: (context: never, next?: never) => unknown;
  readonly isMiddleware: boolean;
  readonly matcher: Matcher | undefined;
  /** Its position among equal priorities. */
  readonly position: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const OPTIONS = [
  "name",
  "id",
  "priority",
  "matcher",
  "mode",
  "timeoutMs",
  "onError",
  "always",
  "rejudge",
  "observes",
  "enforce",
  "source",
  "body",
  "position",
] as const satisfies readonly (keyof HookOptions)[];

/** Checks a registration and makes a hook of it; what is wrong is thrown at once, naming hook and event. */
export function createHook(
  event: EventName,
  hook: unknown,
  options: HookOptions,
  { position, ...identity }: { readonly id: string; readonly name: string; readonly position: number },
): Hook {
  const where = { hook: identity.name, event };
  const isMiddleware = isMiddlewareObject(hook);
  if (typeof hook !== "function" && !isMiddleware) {
    throw new TenterhookError("bad_hook", `a hook must be a function, not ${typeName(hook)}.`, {
      ...where,
      hint: "Give on() a function, or use() an object with handle(ctx, next).",
    });
  }
  checkOptions(options, where);
  const matcher = options.matcher === undefined ? undefined : readMatcher(options.matcher, where);
  const descriptor: HookDescriptor = Object.freeze({
    ...identity,
    event,
    mode: options.mode ?? "sync",
    priority: options.priority ?? 0,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    onError: options.onError ?? "block",
    always: options.always ?? false,
    // A hook that only observes has nothing to refuse.
    rejudge: options.rejudge ?? options.observes !== true,
    ...(options.observes === true && { observes: true }),
    ...((options.enforce === false || shadows.has(hook)) && { enforce: false }),
    ...(matcher !== undefined && { matcher: matcher.description }),
    source: options.source ?? "code",
  });
  if (options.body !== undefined) bodies.set(descriptor, options.body);
  const own: Hook["handle"] = isMiddleware ? hook.handle.bind(hook) : (hook as Hook["handle"]);
  const handle = matcher?.needsEffects ? withMatch(own, matcher, descriptor) : own;
  return {
    descriptor,
    handle: descriptor.enforce === false ? withoutEffect(handle) : handle,
    isMiddleware,
    matcher,
    position,
  };
}

/** The texts about hooks. A descriptor is plain data, so it cannot hold how its text is read. */
const bodies = new WeakMap<HookDescriptor, () => string>();

/** The text about a hook; `undefined` when it has none. */
export function bodyOf(descriptor: HookDescriptor): string | undefined {
  return bodies.get(descriptor)?.();
}

/**
 * The handler of a hook that is not enforced. Hosts freeze what they dispatch, but for errors, which the other hooks get as they are:
 * this one gets a copy, as hooks in the background do.
 */
function withoutEffect(handle: Hook["handle"]): Hook["handle"] {
  return (given, next) => {
    const context = given as Context<EventName>;
    const { event, payload } = context;
    const error = readField(payload, "error");
    if (!isInstanceOf(error, Error)) return handle(given, next);
    const copied = Object.freeze({ ...(payload as object), error: snapshot(error) });
    const copy = newContext(event, copied, runContextOf(context));
    return handle(copy as never, nextOfCopy(next, copy, given));
  };
}

/**
 * The handler of a hook whose matcher is about effects: its context says what matched. A hook in code that refuses a line only because it
 * cannot be read asks about it; sources of hooks do that themselves, because some of their refusals have other reasons.
 */
function withMatch(
  handle: Hook["handle"],
  matcher: Matcher,
  { source, enforce }: HookDescriptor,
): Hook["handle"] {
  return (given, next) => {
    const context = given as Context<EventName>;
    let match: { readonly found: MatchedEffect | undefined } | undefined;
    const own = contextWithMatch(context, () => {
      match ??= { found: findMatch(matcher, context) };
      return match.found;
    });
    const answer = handle(own as never, nextOfCopy(next, own, context));
    if (source !== "code") return answer;
    const settle = (outcome: unknown) => askIfUnreadable(own, outcome, enforce !== false);
    return isThenable(answer) ? Promise.resolve(answer).then(settle) : settle(answer);
  };
}

function findMatch(matcher: Matcher, context: Context<EventName>): MatchedEffect | undefined {
  const subject = new MatchSubject(context.event, context.payload, context);
  const found = matcher.findEffect?.(subject, new PatternBudget());
  return found && describeMatch(found);
}

/** A middleware that gives `next` its context changes nothing. */
function nextOfCopy(next: unknown, copy: unknown, given: unknown): never {
  const passOn = next as ((patch: unknown) => unknown) | undefined;
  return (passOn && ((patch: unknown) => passOn(patch === copy ? given : patch))) as never;
}

/** The name of a hook that was registered without one. */
export function defaultName(hook: unknown): string | undefined {
  if (typeof hook === "function") return hook.name || undefined;
  const made = typeof hook === "object" && hook !== null ? hook.constructor?.name : undefined;
  return made === "Object" ? undefined : made;
}

function isMiddlewareObject(hook: unknown): hook is { handle: Hook["handle"] } {
  return typeof hook === "object" && hook !== null && "handle" in hook && typeof hook.handle === "function";
}

type Where = { readonly hook: string; readonly event: EventName };

function checkOptions(options: HookOptions, where: Where): void {
  checkKnownOptions(options, OPTIONS, where);
  const { priority, timeoutMs, mode, onError } = options;
  if (priority !== undefined && !Number.isSafeInteger(priority)) {
    throw new TenterhookError("bad_priority", `the priority must be an integer, not ${String(priority)}.`, {
      ...where,
      hint: "Higher runs first; the default is 0.",
    });
  }
  if (timeoutMs !== undefined && !(timeoutMs >= 1 && timeoutMs <= LONGEST_TIMER_MS)) {
    throw new TenterhookError("bad_timeout", `timeoutMs must be milliseconds, not ${String(timeoutMs)}.`, {
      ...where,
      hint: `Give a number from 1 to ${LONGEST_TIMER_MS}; the default is ${DEFAULT_TIMEOUT_MS}.`,
    });
  }
  oneOf("mode", mode, ["sync", "background"], where);
  oneOf("onError", onError, ["block", "continue"], where);
  for (const key of ["always", "rejudge", "observes", "enforce"] as const) {
    if (options[key] !== undefined && typeof options[key] !== "boolean") {
      throw new TenterhookError("bad_hook", `${key} must be true or false.`, where);
    }
  }
  if (options.always === true && mode !== "background") {
    const hint = 'Add mode: "background"; sync hooks end with the first refusal.';
    throw new TenterhookError("bad_hook", "always: true is for background hooks.", { ...where, hint });
  }
}

function oneOf(key: string, value: unknown, allowed: readonly string[], where: Where): void {
  if (value === undefined || allowed.includes(value as string)) return;
  const problem = `${key} must be ${allowed.join(" or ")}, not ${String(value)}.`;
  throw new TenterhookError("bad_hook", problem, where);
}

function readMatcher(like: MatcherLike, where: Where): Matcher {
  let matcher: Matcher;
  try {
    matcher = toMatcher(like);
  } catch (error) {
    throw error instanceof TenterhookError ? error.naming(where) : error;
  }
  if (matcher.needsTool && !eventRow(where.event).tool) {
    const problem = `this event has no tool for "${matcher.description}" to match.`;
    const hint = "Tool matchers work on tool events; elsewhere use a predicate.";
    throw new TenterhookError("bad_matcher", problem, { ...where, hint });
  }
  return matcher;
}

function typeName(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
}

/** The events that names and aliases stand for, each once. */
export function resolveEvents(names: readonly string[]): readonly EventName[] {
  if (!Array.isArray(names) || names.length === 0) throw unknownEvent(names);
  return [...new Set(names.flatMap((name) => resolveEvent(name) ?? raise(unknownEvent(name))))];
}

export function unknownEvent(name: unknown): TenterhookError {
  return new TenterhookError("unknown_event", `there is no event "${String(name)}".`, {
    hint: didYouMean(String(name), EVENT_NAMES, `The events are ${EVENT_NAMES.join(", ")}.`),
  });
}

function raise(error: Error): never {
  throw error;
}

/** Throws `bad_hook` for options that are not an object, and for one that does not exist: neither must be ignored. */
export function checkKnownOptions(
  options: unknown,
  known: readonly string[],
  where: { readonly hook?: string; readonly event?: EventName },
): void {
  const hint = `The options are ${known.join(", ")}.`;
  if (!isPlainObject(options)) {
    const isPriority = typeof options === "number" && known.includes("priority");
    throw new TenterhookError("bad_hook", `its options must be an object, not ${formatValue(options)}.`, {
      ...where,
      hint: isPriority ? `Write { priority: ${options} }. ${hint}` : hint,
    });
  }
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new TenterhookError("bad_hook", `there is no option "${unknown}".`, { ...where, hint });
}
