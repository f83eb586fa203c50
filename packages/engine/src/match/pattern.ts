import { compileRegex } from "@tenterhook/internal/regex";
import type { RE2JS } from "re2js";
import type { Match } from "./match.ts";
import { BudgetSpent, MeteredText, type PatternBudget } from "./pattern-budget.ts";
import { hasPlainWord, isPlainWord, plainWords } from "./plain-pattern.ts";

/** A compiled pattern that runs in linear time and within a budget. */
export interface Pattern {
  readonly source: string;
  /** Whether the pattern is found anywhere in the text; `unknown` when the budget ran out first. */
  search(text: string, budget: PatternBudget): Match;
  /** Whether the pattern matches the whole of a short text that no model wrote, which takes no budget. */
  matchesWhole(text: string): boolean;
}

/** Program size times length below which a match cannot be slow (a few milliseconds at worst). */
const CHEAP = 50_000;

/** Compiles a regular expression for the linear-time engine; throws `bad_pattern` or `unsupported_pattern`. */
export function compilePattern(source: string, flags = ""): Pattern {
  const words = flags === "" ? plainWords(source) : undefined;
  // To search for words takes no engine, and no time that would need a budget.
  if (words !== undefined) {
    return {
      source,
      search: (text, { isSpent }) => (isSpent ? "unknown" : hasPlainWord(words, text) ? "yes" : "no"),
      matchesWhole: (text) => isPlainWord(words, text),
    };
  }
  const compiled = compileRegex(source, flags);
  const size = compiled.programSize();
  return {
    source,
    search(text, budget) {
      if (budget.isSpent) return "unknown";
      if (size * text.length <= CHEAP) return budget.spendLittle(() => (compiled.test(text) ? "yes" : "no"));
      return budget.spend(() => metered(compiled, text, budget, size));
    },
    matchesWhole: (text) => compiled.testExact(text),
  };
}

function metered(compiled: RE2JS, text: string, budget: PatternBudget, size: number): Match {
  try {
    // A String object is text to the engine; its own `charCodeAt` is what lets us interrupt a match.
    return compiled.test(new MeteredText(text, budget, size) as unknown as string) ? "yes" : "no";
  } catch (error) {
    if (error instanceof BudgetSpent) return "unknown";
    throw error;
  }
}
