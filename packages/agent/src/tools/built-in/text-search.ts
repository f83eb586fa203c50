import { compilePattern, type Match, type Pattern, PatternBudget } from "@tenterhook/engine/internal";
import { TenterhookError } from "@tenterhook/protocol";

/** The limit of one search: a linear-time search of a line with megabytes still takes long. */
const SEARCH_MS = 50;

/** Whether a text matches; `unknown` after the time limit. */
export type TextSearch = (text: string) => Match;

/**
 * Compiles a model's regular expression for the linear-time engine. Throws `bad_tool_input`, with `what` as the pattern's name.
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
