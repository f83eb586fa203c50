import type { HookOptions } from "@tenterhook/engine";
import { formatValue, isPlainObject, isRecord } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { HookEvent } from "./hook-event.ts";
import { engineMatcher, type MatcherOption } from "./matchers.ts";

/**
 * How a hook is registered. `priority`: higher first, default 0, ties in order of registration. `rejudge`: default false, unlike
 * in the engine; a guard that must see what later hooks change sets it.
 */
export interface BuilderHookOptions<M extends MatcherOption = MatcherOption>
  extends Omit<HookOptions, "matcher" | "source" | "position"> {
  /** Default: everything. Matchers by tool name are for tool hooks. */
  readonly matcher?: M | null | undefined;
}

/** The engine's options. A function in the property `callback` gets that name, which is not a hook's name. */
export function engineOptions({ matcher, ...rest }: BuilderHookOptions, name: string): HookOptions {
  const known = name === "callback" ? undefined : name || undefined;
  return {
    ...rest,
    name: rest.name ?? known,
    matcher: engineMatcher(matcher),
    // A rate limiter counts its calls, and would refuse the call that it has admitted.
    rejudge: rest.rejudge ?? false,
    source: "builder",
  };
}

/** Which positions a method has for what follows a hook. */
export interface Positions {
  /** How many arguments come before. */
  readonly before: 1 | 2;
  /** Whether a matcher may follow the priority. */
  readonly takesMatcher: boolean;
  /** What to write, for errors. */
  readonly write: string;
}

type Events = HookEvent | readonly HookEvent[];

/** Reads what follows a hook: options, or a priority and a matcher. Throws `bad_hook` for anything else, which must not be ignored. */
export function readOptions(
  events: Events,
  given: readonly unknown[],
  { before, takesMatcher, write }: Positions,
): BuilderHookOptions {
  const [first, second] = given;
  const wrong = (index: number, problem: string, hint = `Write ${write}.`) =>
    wrongArgument(events, before + index, given[index], problem, hint);
  const surplus = given.findIndex((value, index) => index > (takesMatcher ? 1 : 0) && value !== undefined);
  if (surplus >= 0) throw wrong(surplus, "which is one too many");
  // The engine checks the priority and the matcher.
  if (first === undefined || typeof first === "number")
    return { priority: first, matcher: second as BuilderHookOptions["matcher"] };
  if (!isPlainObject(first)) throw wrong(0, "which is neither a priority nor options");
  if (second === undefined) return first;
  throw wrong(1, "but it follows options", "Put the matcher into the options.");
}

/** Reads arguments that are given by name, in an object literal. Throws `bad_hook` for an instance, and for arguments behind it. */
export function readNamed<T>(events: Events, named: T, given: readonly unknown[], names: string): T {
  if (isRecord(named) && !isPlainObject(named)) {
    const hint = `Write addHook(event, hook, 100) for a hook, and ${names} for named arguments.`;
    throw wrongArgument(events, 0, named, "which is an instance of a class", hint);
  }
  const index = given.findIndex((value) => value !== undefined);
  if (index < 0) return named;
  const hint = `Put it into the object: ${names}.`;
  throw wrongArgument(events, index + 1, given[index], "but it follows named arguments", hint);
}

const ORDINALS = ["first", "second", "third", "fourth"];

function wrongArgument(
  events: Events,
  index: number,
  value: unknown,
  problem: string,
  hint: string,
): TenterhookError {
  const argument = `the ${ORDINALS[index] ?? "last"} argument is ${formatValue(value)}, ${problem}`;
  const place = [events].flat().join(", ");
  return new TenterhookError("bad_hook", `${place && `a hook on ${place}: `}${argument}.`, { hint });
}
