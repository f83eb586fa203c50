import type { HookOptions } from "@tenterhook/engine";
import type { MaybePromise } from "@tenterhook/engine/internal";
import { formatValue, isPlainObject, isRecord } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { ContextByEvent } from "./contexts.ts";
import type { AgentState } from "./data.ts";
import type { Hook } from "./hook.ts";
import type { HookEvent } from "./hook-event.ts";
import type { HookReturn } from "./hook-return.ts";
import type { MatcherOption, MatcherOptionFor } from "./matchers.ts";

/** Gets the event's context. A callback may throw: that is a failure of the hook. */
export type EventCallback<E extends HookEvent> = (context: ContextByEvent[E]) => MaybePromise<HookReturn<E>>;

/** May also return a call with other arguments, or null, which blocks. */
export type BeforeToolCallback = EventCallback<"PreToolUse">;

/** May also return an execution with another result. */
export type AfterToolCallback = EventCallback<"PostToolUse">;

/** Gets the state; may return a changed one. */
export type StepCallback<E extends "BeforeStep" | "AfterStep"> = (
  state: AgentState,
) => MaybePromise<HookReturn<E>>;

/**
 * How a hook is registered. `priority`: higher first, default 0, ties in order of registration. `rejudge`: default false, unlike
 * in the engine; a guard that must see what later hooks change sets it.
 */
export interface BuilderHookOptions<M extends MatcherOption = MatcherOption>
  extends Omit<HookOptions, "matcher" | "source" | "position"> {
  /** Default: everything. Matchers by tool name are for tool hooks. */
  readonly matcher?: M | null | undefined;
}

/** Callback and options in one object, like named arguments. */
export interface NamedCallback<F, M extends MatcherOption = MatcherOption> extends BuilderHookOptions<M> {
  readonly callback: F;
}

/** What may follow a callback: its priority and matcher by position, or options. */
export type CallbackArguments<M extends MatcherOption = MatcherOption> =
  | readonly [priority?: number | undefined, matcher?: M | null | undefined]
  | readonly [options: BuilderHookOptions<M>];

/** Event, hook and options in one object, like named arguments. */
export interface HookArguments<E extends HookEvent> extends BuilderHookOptions<MatcherOptionFor<E>> {
  readonly event: E | readonly E[];
  readonly hook: Hook<ContextByEvent[E]>;
}

type Given<K extends string> = BuilderHookOptions & { readonly [Key in K]?: unknown };

/** Reads `(callback, priority, matcher)`, `(callback, options)` and `{ callback, ...options }`. */
export function readCallback(event: HookEvent, given: readonly unknown[]): Given<"callback"> {
  const [callback] = given;
  const wrong = wrongArgument(given, [event]);
  if (typeof callback !== "function") return readNamed(given, "{ callback, priority, matcher }", wrong);
  const hasTool = event === "PreToolUse" || event === "PostToolUse";
  // Elsewhere a matcher is a predicate, which is seldom needed.
  const write = hasTool
    ? '(callback, 100, "bash") or (callback, { priority: 100, matcher: "bash" })'
    : "(callback, 100) or (callback, { priority: 100 })";
  return { ...readOptions(given, { before: 1, most: 3, write }, wrong), callback };
}

/** Reads `(event, hook, priority)`, `(event, hook, options)` and `{ event, hook, ...options }`. */
export function readHookArguments(given: readonly unknown[]): Given<"event" | "hook"> {
  const [event, hook] = given;
  if (isRecord(event)) return readNamed(given, "{ event, hook, priority }", wrongArgument(given, []));
  const write = "(event, hook, 100) or (event, hook, { priority: 100, matcher })";
  const wrong = wrongArgument(given, [event].flat());
  return { ...readOptions(given, { before: 2, most: 3, write }, wrong), event, hook };
}

/** Reads arguments that are given by name, in an object literal. Throws `bad_hook` for an instance, and for arguments behind it. */
function readNamed(given: readonly unknown[], names: string, wrong: WrongArgument): object {
  const [named] = given;
  if (isRecord(named) && !isPlainObject(named)) {
    const hint = `Write addHook(event, hook, 100) for a hook, and ${names} for named arguments.`;
    throw wrong(0, "which is an instance of a class", hint);
  }
  const surplus = given.findIndex((value, index) => index > 0 && value !== undefined);
  if (surplus < 0) return Object(named) as object;
  throw wrong(surplus, "but it follows named arguments", `Put it into the object: ${names}.`);
}

/** Reads what follows a hook: options, or a priority and a matcher. Throws `bad_hook` for anything else, which must not be ignored. */
function readOptions(
  given: readonly unknown[],
  { before, most, write }: { readonly before: number; readonly most: number; readonly write: string },
  wrong: WrongArgument,
): BuilderHookOptions {
  const [first, second] = given.slice(before);
  const hint = `Write ${write}.`;
  const surplus = given.findIndex((value, index) => index >= most && value !== undefined);
  if (surplus >= 0) throw wrong(surplus, "which is one too many", hint);
  // The engine checks the priority and the matcher.
  if (first === undefined || typeof first === "number")
    return { priority: first, matcher: second as BuilderHookOptions["matcher"] };
  if (!isPlainObject(first)) throw wrong(before, "which is neither a priority nor options", hint);
  if (second === undefined) return first;
  throw wrong(before + 1, "but it follows options", "Put the matcher into the options.");
}

type WrongArgument = (index: number, problem: string, hint: string) => TenterhookError;

const ORDINALS = ["first", "second", "third", "fourth"];

function wrongArgument(given: readonly unknown[], events: readonly unknown[]): WrongArgument {
  const place = events.length === 0 ? "" : `a hook on ${events.join(", ")}: `;
  return (index, problem, hint) => {
    const argument = `the ${ORDINALS[index] ?? "last"} argument is ${formatValue(given[index])}, ${problem}`;
    return new TenterhookError("bad_hook", `${place}${argument}.`, { hint });
  };
}
