import { compileRegex } from "@tenterhook/internal/regex";
import type { RE2JS } from "re2js";
import { threadTimeMs } from "./thread-time.ts";

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

/** The most that pattern matching may cost one dispatch, over all hooks and all values of the input. */
const BUDGET_MS = 150;

/** How much a program may work between two readings of the clock, in characters read times its size. */
const WORK_PER_CHECK = 16_384;
const MAX_READS_PER_CHECK = 64;

/** Thrown out of a running match when the budget is spent; never leaves this folder. */
export class BudgetSpent extends Error {}

/** The most that a search over little text is charged: it takes no longer, unless the thread had to wait for the processor. */
const MAX_FOR_LITTLE_MS = 2;

/**
 * Bounds the time that patterns may take on text a model wrote. The engine is linear, but a large program over a
 * megabyte is still seconds, so a match that exceeds the budget is aborted and counts as undecided. Only the time
 * that the thread works inside searches counts: neither a slow hook nor a busy machine must make patterns undecided.
 */
export class PatternBudget {
  #left: number;
  /** When the current search has to be measured more precisely. */
  #deadline = 0;
  #threadStart = 0;

  constructor(ms = BUDGET_MS) {
    this.#left = ms;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Whether the current long search has used up the budget. */
  get isOver(): boolean {
    const now = performance.now();
    if (now <= this.#deadline) return false;
    // The time of the thread takes longer to read than the clock, and can only be less.
    const left = this.#left - (threadTimeMs() - this.#threadStart);
    if (left <= 0) return true;
    this.#deadline = now + left;
    return false;
  }

  /** Runs a search over little text, which needs no interruption. */
  spendLittle<T>(search: () => T): T {
    const start = performance.now();
    try {
      return search();
    } finally {
      this.#left -= Math.min(performance.now() - start, MAX_FOR_LITTLE_MS);
    }
  }

  /** Runs a search that checks `isOver` while it runs. */
  spend<T>(search: () => T): T {
    this.#threadStart = threadTimeMs();
    this.#deadline = performance.now() + this.#left;
    try {
      return search();
    } finally {
      this.#left -= threadTimeMs() - this.#threadStart;
    }
  }
}

/** Text that checks the budget while it is read. The regex engine reads every character through `charCodeAt`. */
export class MeteredText extends String {
  readonly #text: string;
  readonly #budget: PatternBudget;
  readonly #readsPerCheck: number;
  #reads = 0;

  /** `size` is the program's: the larger it is, the more each character costs. */
  constructor(text: string, budget: PatternBudget, size: number) {
    super(text);
    this.#text = text;
    this.#budget = budget;
    this.#readsPerCheck = Math.min(Math.max(1, Math.floor(WORK_PER_CHECK / size)), MAX_READS_PER_CHECK);
  }

  override charCodeAt(index: number): number {
    if (++this.#reads % this.#readsPerCheck === 0 && this.#budget.isOver) throw new BudgetSpent();
    return this.#text.charCodeAt(index);
  }

  override indexOf(searched: string, position?: number): number {
    return this.#text.indexOf(searched, position);
  }
}
