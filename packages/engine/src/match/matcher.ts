import type { EffectMatch } from "@tenterhook/commands";
import { didYouMean, messageOf } from "@tenterhook/internal";
import {
  type EVENTS,
  type EventName,
  type Immutable,
  isEventName,
  type Payload,
  TenterhookError,
} from "@tenterhook/protocol";
import {
  checkEffectMatcher,
  type EffectMatcherInit,
  type EffectMatcherName,
  type PathSetName,
} from "@tenterhook/protocol/internal";
import { effectFinder, loadEffects } from "./call-effects.ts";
import { compilePattern, type Match, type PatternBudget } from "./pattern.ts";
import type { MatchSubject } from "./subject.ts";

/**
 * Decides whether a hook is called for an action. Matchers compose, describe themselves in words, and decide early what can
 * be known from the event and the tool's name alone, so that most of the work is done once per tool.
 */
export interface Matcher<Tool extends boolean = boolean> {
  readonly description: string;
  /** Needs a tool: registering it on an event without one is an error. */
  readonly needsTool: Tool;
  /** Decides from the event and the tool's name; `unknown` when it depends on the input or the context. */
  plan(event: EventName, toolName: string | undefined, budget: PatternBudget): Match;
  match(subject: MatchSubject, budget: PatternBudget): Match;
  /** Reads what the call does, which is loaded before it is asked. */
  readonly needsEffects?: boolean | undefined;
  /** The effect because of which it matches a call; `undefined` where it matches by something else. */
  findEffect?(subject: MatchSubject, budget: PatternBudget): EffectMatch | undefined;
}

/** Ways to write a matcher: a tool's name, glob or `/regex/`; what a call does; a predicate; a composed one; or a list, of which one must match. */
export type MatcherLike =
  | string
  | RegExp
  | ToolMatcher
  | MatcherWithoutTool
  | Matcher
  | readonly [MatcherLike, ...MatcherLike[]];

/** All that it has must match the call. */
type ToolMatcher = ToolPattern & (ToolEffect | { readonly [Field in keyof ToolEffect]?: undefined });

interface ToolPattern {
  readonly tool?: string | RegExp | undefined;
  readonly pattern?: string | RegExp | undefined;
}

/** One effect of these kinds, with one target in `path` and not in `notPath`. */
interface ToolEffect extends EffectMatcherInit {
  readonly effect: OneOrMore<EffectMatcherName>;
  readonly path?: OneOrMore<PathSetName | PathGlob> | undefined;
  readonly notPath?: OneOrMore<PathSetName | PathGlob> | undefined;
  readonly host?: OneOrMore<string> | undefined;
}

type OneOrMore<T> = T | readonly [T, ...T[]];

/** A word without any of these signs is the name of a path set, or a misspelt one. */
type PathGlob = `${string}${"/" | "." | "*" | "?" | "~"}${string}`;

type MatcherWithoutTool = ((context: never) => boolean) | Matcher<false>;

/** The matchers of an event: those that need a tool are only for events that have one. */
export type MatcherFor<E extends EventName> = [E] extends [ToolEvent]
  ? MatcherLike
  : EventName extends E
    ? MatcherLike
    : MatcherWithoutTool;

type ToolEvent = {
  [E in EventName]: (typeof EVENTS)[E] extends { readonly tool: true } ? E : never;
}[EventName];

/** What `toMatcher` finds out when it reads a matcher, for the compiler, which cannot see that: hence the casts below. */
type NeedsTool<M extends MatcherLike> =
  M extends Matcher<infer Tool>
    ? Tool
    : M extends (context: never) => boolean
      ? false
      : M extends readonly MatcherLike[]
        ? boolean
        : true;

type Parts = readonly [MatcherLike, ...MatcherLike[]];

/** Models invent tool names; no real one is longer than this. */
export const LONGEST_TOOL_NAME = 512;

/** Matches a tool by name: exact (`Shell`), glob (`read_*`) or regular expression (`/^(read|write)_/`, or a RegExp). */
export function toolName(pattern: string | RegExp): Matcher<true> {
  const test = nameTest(pattern);
  const plan = (name: string | undefined, budget: PatternBudget): Match => {
    if (name === undefined) return "no";
    return name.length > LONGEST_TOOL_NAME ? "unknown" : test(name, budget);
  };
  return {
    description: `tool ${String(pattern)}`,
    needsTool: true,
    plan: (_event, name, budget) => plan(name, budget),
    match: (subject, budget) => plan(subject.toolName, budget),
  };
}

function nameTest(pattern: string | RegExp): (name: string, budget: PatternBudget) => Match {
  if (pattern instanceof RegExp) return compilePattern(pattern.source, pattern.flags).search;
  if (typeof pattern !== "string" || pattern === "") {
    throw new TenterhookError("bad_matcher", "a tool matcher needs a name, a glob or a /regex/.", {
      hint: 'Use "*" to match every tool.',
    });
  }
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(pattern) ?? [];
  if (source !== undefined) return compilePattern(source, flags).search;
  return (name) => (globMatches(pattern, name) ? "yes" : "no");
}

/** Greedy glob matching in the time of both lengths multiplied, never more. */
export function globMatches(glob: string, text: string): boolean {
  let g = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (g < glob.length && glob[g] === "*") {
      star = g++;
      mark = t;
    } else if (g < glob.length && (glob[g] === "?" || glob[g] === text[t])) {
      g++;
      t++;
    } else if (star >= 0) {
      g = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (glob[g] === "*") g++;
  return g === glob.length;
}

/**
 * Looks for a pattern in every string value of a tool's input, so that `\.py$` means what its author meant, and in
 * the whole input as JSON, so that a pattern over keys or several values works too.
 */
export function inputPattern(pattern: string | RegExp): Matcher<true> {
  const { source, flags } = pattern instanceof RegExp ? pattern : { source: pattern, flags: "" };
  const { search } = compilePattern(source, flags);
  return {
    description: `input /${source}/${flags}`,
    needsTool: true,
    plan: () => "unknown",
    match({ texts: { texts, complete } }, budget) {
      // What could not be read through may contain what the pattern looks for.
      let result: Match = complete ? "no" : "unknown";
      for (const text of texts) {
        const found = search(text, budget);
        if (found === "yes") return "yes";
        if (found === "unknown") result = "unknown";
      }
      return result;
    },
  };
}

/**
 * Matches by what a call does. A tool of which that is not known does not match. A line that cannot be read matches, too, and then the hook's
 * `block` is a question.
 */
export function effectMatcher(init: EffectMatcherInit): Matcher<true> {
  checkEffectMatcher(init);
  // It takes a while, and the first call can wait for what is left of it.
  void loadEffects();
  const find = effectFinder(init);
  const findEffect = (subject: MatchSubject) => find(subject.effects);
  return {
    description: describeEffect(init),
    needsTool: true,
    needsEffects: true,
    plan: () => "unknown",
    match: (subject) => (findEffect(subject) === undefined ? "no" : "yes"),
    findEffect,
  };
}

function describeEffect({ effect, path, notPath, host, unknown, unreadable }: EffectMatcherInit): string {
  const list = (words: string, value: string | readonly string[] | undefined) =>
    value === undefined ? "" : `${words} ${[value].flat().join(" or ")}`;
  return [
    list("effect", effect),
    list(" in", path),
    list(" not in", notPath),
    list(" to", host),
    ...(unknown === "pass" ? [", known targets only"] : []),
    ...(unreadable === "pass" ? [", readable lines only"] : []),
  ].join("");
}

/** Matches one of several events. */
export function eventType(...events: readonly [EventName, ...EventName[]]): Matcher<false> {
  const unknown = events.find((event) => !isEventName(event));
  if (unknown !== undefined || events.length === 0) {
    throw new TenterhookError("bad_matcher", `there is no event "${String(unknown)}" to match.`, {
      hint: "Name at least one event.",
    });
  }
  const plan = (event: EventName): Match => (events.includes(event) ? "yes" : "no");
  return {
    description: `event ${events.join(" or ")}`,
    needsTool: false,
    plan,
    match: ({ event }) => plan(event),
  };
}

/** Matches when the function returns true. The label is what `explain` shows. */
export function predicate<E extends EventName>(
  test: (context: Immutable<Payload<E>> & { readonly event: E }) => boolean,
  label = test.name || "a predicate",
): Matcher<false> {
  return {
    description: label,
    needsTool: false,
    plan: () => "unknown",
    match: ({ context }) => (test(context as Parameters<typeof test>[0]) ? "yes" : "no"),
  };
}

/** Matches when all of them do. */
export function allOf<const P extends Parts>(...parts: P): Matcher<NeedsTool<P[number]>> {
  return composed(parts.map(toMatcher), " and ", "no", "yes") as Matcher<NeedsTool<P[number]>>;
}

/** Matches when any of them does. */
export function anyOf<const P extends Parts>(...parts: P): Matcher<NeedsTool<P[number]>> {
  return composed(parts.map(toMatcher), " or ", "yes", "no") as Matcher<NeedsTool<P[number]>>;
}

/** Matches when the other does not. What could not be decided stays undecided, so the hook runs. */
export function not<const M extends MatcherLike>(part: M): Matcher<NeedsTool<M>> {
  const inner = toMatcher(part);
  return {
    description: `not ${wrapped(inner.description)}`,
    needsTool: inner.needsTool as NeedsTool<M>,
    needsEffects: inner.needsEffects,
    plan: (event, name, budget) => opposite(inner.plan(event, name, budget)),
    match: (subject, budget) => opposite(inner.match(subject, budget)),
  };
}

/** Reads any of the ways to write a matcher; throws `bad_matcher` for anything else. */
export function toMatcher(like: MatcherLike): Matcher {
  if (typeof like === "string" || like instanceof RegExp) return toolName(like);
  if (typeof like === "function") return predicate(like as (context: unknown) => boolean);
  if (Array.isArray(like) && like.length > 0) return anyOf(...(like as unknown as Parts));
  if (isMatcher(like)) return like;
  if (typeof like === "object" && like !== null && !Array.isArray(like)) {
    const { tool, pattern, ...effect } = like as ToolPattern & Partial<ToolEffect>;
    const fields = Object.entries(effect).filter(([, value]) => value !== undefined);
    const parts = [
      ...(tool === undefined ? [] : [toolName(tool)]),
      ...(pattern === undefined ? [] : [inputPattern(pattern)]),
      ...(fields.length === 0 ? [] : [readEffect(Object.fromEntries(fields))]),
    ];
    const [first] = parts;
    if (first !== undefined) return parts.length === 1 ? first : composed(parts, " and ", "no", "yes");
  }
  throw new TenterhookError("bad_matcher", `this is not a matcher: ${messageOf(like)}.`, {
    hint: "Give a tool name, a glob, a /regex/, { tool, pattern, effect }, a predicate, or compose them with allOf, anyOf and not.",
  });
}

const EFFECT_FIELDS = ["effect", "path", "notPath", "host", "unknown", "unreadable"];

function readEffect(init: object): Matcher {
  const fields = ["tool", "pattern", ...EFFECT_FIELDS];
  const surplus = Object.keys(init).find((key) => !EFFECT_FIELDS.includes(key));
  if (surplus !== undefined)
    throw new TenterhookError("bad_matcher", `a matcher has no field "${surplus}".`, {
      hint: didYouMean(surplus, fields, `Its fields are ${fields.join(", ")}.`),
    });
  if (!("effect" in init))
    throw new TenterhookError(
      "bad_matcher",
      `a matcher with ${Object.keys(init).join(", ")} has no effect.`,
      {
        hint: 'They are about what a call does: add effect, such as effect: "delete".',
      },
    );
  return effectMatcher(init as EffectMatcherInit);
}

function isMatcher(value: unknown): value is Matcher {
  return (
    typeof value === "object" &&
    value !== null &&
    "match" in value &&
    typeof value.match === "function" &&
    "plan" in value
  );
}

/** Three-valued and/or: `decisive` settles the whole, `otherwise` is what is left when every part disagreed. */
function composed(parts: readonly Matcher[], word: string, decisive: Match, otherwise: Match): Matcher {
  if (parts.length === 0) {
    throw new TenterhookError("bad_matcher", "there is nothing to combine.", {
      hint: "Give at least one matcher.",
    });
  }
  const combine = (ask: (part: Matcher) => Match): Match => {
    let result = otherwise;
    for (const part of parts) {
      const answer = ask(part);
      if (answer === decisive) return decisive;
      if (answer === "unknown") result = "unknown";
    }
    return result;
  };
  return {
    description: parts.map((part) => wrapped(part.description)).join(word),
    needsTool: parts.some((part) => part.needsTool),
    plan: (event, name, budget) => combine((part) => part.plan(event, name, budget)),
    match: (subject, budget) => combine((part) => part.match(subject, budget)),
    needsEffects: parts.some((part) => part.needsEffects),
    findEffect: (subject, budget) => findEffectOf(parts, decisive, subject, budget),
  };
}

/** Of all parts that must match, those that are about effects; of alternatives, those that match. */
function findEffectOf(
  parts: readonly Matcher[],
  decisive: Match,
  subject: MatchSubject,
  budget: PatternBudget,
): EffectMatch | undefined {
  const found: EffectMatch[] = [];
  for (const part of parts) {
    const effect = part.findEffect?.(subject, budget);
    if (effect !== undefined) found.push(effect);
    // What matches by something else does so for lines that can be read, too.
    else if (decisive === "yes" && part.match(subject, budget) !== "no") return undefined;
  }
  // Alternatives are met as soon as one is; where all must be, one that is not for certain makes the whole so.
  return found.find(({ isUnreadable }) => isUnreadable === (decisive === "no")) ?? found[0];
}

function opposite(match: Match): Match {
  if (match === "unknown") return "unknown";
  return match === "yes" ? "no" : "yes";
}

function wrapped(description: string): string {
  return / (and|or) /.test(description) ? `(${description})` : description;
}
