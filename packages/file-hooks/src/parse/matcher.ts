import { allOf, inputPattern, type Matcher, toolName } from "@tenterhook/engine";
import { compilePattern } from "@tenterhook/engine/internal";
import type { HookFile } from "@tenterhook/protocol";
import { isPlainPattern } from "./pattern.ts";

/** The engine's matcher for a HOOK.md's: `tool` is searched in the tool's name, `pattern` in its input. */
export function matcherOf({ matcher }: Pick<HookFile, "matcher">): Matcher | undefined {
  if (matcher === undefined) return undefined;
  const { tool, pattern } = matcher;
  const parts = [
    ...(tool === undefined ? [] : [orEverything(tool, () => toolName(`/${tool}/`))]),
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

/** A pattern that the engine cannot express counts as matching, so that the script decides. */
function orEverything(pattern: string, make: () => Matcher): Matcher {
  try {
    compilePattern(pattern);
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
