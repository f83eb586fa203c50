import { allOf, anyOf, inputPattern, type Matcher, TenterhookError, toolName } from "@tenterhook/engine";
import { compilePattern, effectMatcher } from "@tenterhook/engine/internal";
import { messageOf } from "@tenterhook/internal";
import type { Finding, HookFile } from "@tenterhook/protocol";
import {
  type EffectMatcherInit,
  type FileMatcher,
  listMatchers,
  nativeNames,
} from "@tenterhook/protocol/internal";

/**
 * The engine's matcher for a HOOK.md's: `tool` is searched in the tool's name, or matches a whole name that a coding agent has for that
 * tool; `pattern` is searched in its input. `undefined` matches everything.
 */
export function matcherOf(hook: Pick<HookFile, "matcher">): Matcher | undefined {
  const parts = listMatchers(hook)?.map(oneMatcher) ?? [];
  // One that has no condition makes the list match everything.
  return joined(parts.includes(undefined) ? [] : (parts as readonly Matcher[]), anyOf);
}

function oneMatcher(matcher: FileMatcher): Matcher | undefined {
  const { tool, pattern } = matcher;
  const effect = effectPart(matcher);
  const parts = [
    ...(tool === undefined ? [] : [orEverything(tool, () => toolMatcher(tool))]),
    ...(pattern === undefined ? [] : [orEverything(pattern, () => inputPattern(pattern))]),
    ...(effect === undefined ? [] : [orEverything("effect", () => effectMatcher(effect))]),
  ];
  return joined(parts, allOf);
}

function joined(parts: readonly Matcher[], join: typeof allOf | typeof anyOf): Matcher | undefined {
  const [first, ...rest] = parts;
  return first === undefined || rest.length === 0 ? first : join(first, ...rest);
}

/** The matcher of a hook that was never trusted: patterns that may take long to compile count as matching, and effects are not read. */
export function quickMatcherOf(hook: Pick<HookFile, "matcher">): Matcher | undefined {
  const plain = listMatchers(hook)?.map(({ tool, pattern }) => ({
    ...(isPlain(tool) && { tool }),
    ...(isPlain(pattern) && { pattern }),
  }));
  return plain === undefined ? undefined : matcherOf({ matcher: plain });
}

function isPlain(pattern: string | undefined): pattern is string {
  return pattern !== undefined && isPlainPattern(pattern);
}

/** The engine's matcher for the tools alone, whatever their input is. */
export function toolMatcherOf(hook: Pick<HookFile, "matcher">): Matcher | undefined {
  const tools = listMatchers(hook)?.map(({ tool }) => (tool === undefined ? {} : { tool }));
  return tools === undefined ? undefined : matcherOf({ matcher: tools });
}

/** What a matcher says of effects; `undefined` when it says nothing. */
export function effectPart({
  tool: _,
  pattern: __,
  effect,
  ...targets
}: FileMatcher): EffectMatcherInit | undefined {
  return effect === undefined ? undefined : { effect, ...targets };
}

function toolMatcher(tool: string): Matcher<true> {
  const searched = toolName(`/${tool}/`);
  const { matchesWhole } = compilePattern(tool);
  const plan: Matcher["plan"] = (event, name, budget) => {
    const found = searched.plan(event, name, budget);
    return found === "no" && nativeNames(name ?? "").some(matchesWhole) ? "yes" : found;
  };
  return { ...searched, plan, match: ({ event, toolName: name }, budget) => plan(event, name, budget) };
}

/** A pattern that the engine cannot express counts as matching, so that the script decides, and so does an effect of a later version. */
function orEverything(pattern: string, make: () => Matcher): Matcher {
  try {
    return make();
  } catch {
    return {
      description: `everything (/${pattern}/ cannot be used)`,
      needsTool: true,
      plan: () => "yes",
      match: () => "yes",
    };
  }
}

/** What is wrong with a pattern, if anything. It never keeps a hook from running: it then counts as matching. */
export function explainPattern(pattern: string): Pick<Finding, "severity" | "message"> | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    const unsupported = TenterhookError.isInstance(error) && error.code === "unsupported_pattern";
    const why = unsupported
      ? "it needs look-around or back-references, which patterns over a model's text do not have"
      : messageOf(error);
    return { severity: "warning", message: `${why}; it counts as matching, and the script decides` };
  }
}

/**
 * Whether a pattern is compiled in no time. Repetitions and classes of letters can make a few hundred characters take seconds,
 * so those of hooks that were never trusted are not compiled before an event.
 */
export function isPlainPattern(pattern: string): boolean {
  return pattern.length <= 100 && !/\{|\\[pP]|\(\?/.test(pattern);
}
