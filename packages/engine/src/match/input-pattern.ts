import type { Match, Matcher } from "./match.ts";
import { compilePattern } from "./pattern.ts";

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
