import { allOf, inputPattern, type Matcher, toolName } from "@tenterhook/engine";
import { compilePattern } from "@tenterhook/engine/internal";
import type { HookFile } from "@tenterhook/protocol";
import { nativeNames } from "@tenterhook/protocol/internal";
import { isPlainPattern } from "./pattern.ts";

/**
 * The engine's matcher for a HOOK.md's: `tool` is searched in the tool's name, or matches a whole name that a coding agent has for that
 * tool; `pattern` is searched in its input.
 */
export function matcherOf({ matcher }: Pick<HookFile, "matcher">): Matcher | undefined {
  if (matcher === undefined) return undefined;
  const { tool, pattern } = matcher;
  const parts = [
    ...(tool === undefined ? [] : [orEverything(tool, () => toolMatcher(tool))]),
    ...(pattern === undefined ? [] : [orEverything(pattern, () => inputPattern(pattern))]),
  ];
  const [first, ...rest] = parts;
  return first === undefined || rest.length === 0 ? first : allOf(first, ...rest);
}

/** The matcher of a hook that was never trusted: patterns that may take long to compile count as matching. */
export function quickMatcherOf({ matcher = {} }: Pick<HookFile, "matcher">): Matcher | undefined {
  const plain = Object.fromEntries(
    Object.entries(matcher).filter(([, pattern]) => pattern !== undefined && isPlainPattern(pattern)),
  );
  return Object.keys(plain).length === 0 ? undefined : matcherOf({ matcher: plain });
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

/** A pattern that the engine cannot express counts as matching, so that the script decides. */
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
