import { compileRegex } from "@tenterhook/internal/regex";
import type { RE2JS } from "re2js";
import { BudgetSpent, MeteredText, type PatternBudget } from "./pattern-budget.ts";

/** `unknown` means that matching was too costly to finish: the hook runs, and decides itself. */
export type Match = "yes" | "no" | "unknown";

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

/**
 * Letters, digits and signs that mean themselves in every pattern; blanks and case as they are. A point is written as `\.` or `[.]`, and
 * so are the other signs that have a meaning.
 */
const ALTERNATIVE = /^(\^?)((?:[A-Za-z0-9_ \-/:,;=~@#%&'"<>!]|\\[.+*?()[\]{}$^/-]|\[[.+*?]\])+)(\$?)$/;
const ESCAPED = /\\(.)|\[(.)\]/g;

/** A word that a plain pattern searches for, perhaps only at the start or at the end of the text. */
export interface PlainWord {
  readonly word: string;
  readonly start: boolean;
  readonly end: boolean;
}

/**
 * The words of a pattern that is only words with `|` between them, each perhaps at the start or the end of the text: most matchers
 * are. `undefined` for any other, which takes the pattern engine.
 */
export function plainWords(source: string): readonly PlainWord[] | undefined {
  const words: PlainWord[] = [];
  for (const alternative of source.split("|")) {
    const [, start, written, end] = ALTERNATIVE.exec(alternative) ?? [];
    if (written === undefined) return undefined;
    words.push({ word: written.replace(ESCAPED, "$1$2"), start: start !== "", end: end !== "" });
  }
  return words;
}

/**
 * Words of which one is found in every text that a pattern matches, for patterns whose alternatives are words with `.*` or `.+` between
 * them, such as `git push .*--force`. `undefined` for any other.
 */
export function neededWords(source: string): readonly PlainWord[] | undefined {
  const words: PlainWord[] = [];
  for (const alternative of source.split("|")) {
    const parts = alternative.split(/\.[*+]/).map((part) => (part === "" ? [] : plainWords(part)));
    if (parts.includes(undefined)) return undefined;
    const [longest] = parts.flatMap((part) => part ?? []).sort((a, b) => b.word.length - a.word.length);
    if (longest === undefined) return undefined;
    words.push(longest);
  }
  return words;
}

/** Whether one of the words is the whole text. */
export function isPlainWord(words: readonly PlainWord[], text: string): boolean {
  return words.some(({ word }) => word === text);
}

/** Whether one of the words is found in a text. */
export function hasPlainWord(words: readonly PlainWord[], text: string): boolean {
  for (const { word, start, end } of words) {
    if (
      start ? (end ? text === word : text.startsWith(word)) : end ? text.endsWith(word) : text.includes(word)
    )
      return true;
  }
  return false;
}
