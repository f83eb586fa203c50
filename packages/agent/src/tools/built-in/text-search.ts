import { compilePattern, type Match, type Pattern } from "@tenterhook/engine";
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
  // The engine's own budget is a class with private parts, which nothing else is to the compiler; to a search it is
  // these three members.
  return (text) => pattern.search(text, new SearchBudget() as unknown as Parameters<Pattern["search"]>[1]);
}

class SearchBudget {
  readonly isSpent = false;
  readonly #deadline = performance.now() + SEARCH_MS;

  get isOver(): boolean {
    return performance.now() > this.#deadline;
  }

  spend<T>(search: () => T): T {
    return search();
  }
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
