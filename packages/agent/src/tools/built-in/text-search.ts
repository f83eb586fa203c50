import { compilePattern, type Match, type Pattern, PatternBudget } from "@tenterhook/engine";
import { TenterhookError } from "@tenterhook/protocol";

/** How long one search may take. A linear-time search of a line with megabytes in it is still long. */
const SEARCH_MS = 50;

/** Whether something is found in a text; `unknown` when that took too long. */
export type TextSearch = (text: string) => Match;

/**
 * Compiles a regular expression that a model wrote, for the engine that runs patterns in linear time. Throws
 * `bad_tool_input`, and calls the pattern `what`.
 */
export function textSearch(source: string, flags: string, what: string): TextSearch {
  const pattern = compiled(source, flags, what);
  return (text) => pattern.search(text, new PatternBudget(SEARCH_MS));
}

function compiled(source: string, flags: string, what: string): Pattern {
  try {
    return compilePattern(source, flags);
  } catch (cause) {
    const isUnsupported = TenterhookError.isInstance(cause) && cause.code === "unsupported_pattern";
    const hint = isUnsupported
      ? "Patterns run on a linear-time engine: write it without look-around and back-references."
      : "Check its brackets and quantifiers.";
    throw new TenterhookError("bad_tool_input", `${what} cannot be used.`, { hint, cause });
  }
}
