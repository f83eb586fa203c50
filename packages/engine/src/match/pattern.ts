import { messageOf, TenterhookError } from "@tenterhook/protocol";
import { RE2JS } from "re2js";
import type { Match } from "./match.ts";
import { BudgetSpent, MeteredText, type PatternBudget } from "./pattern-budget.ts";

/** A compiled pattern that runs in linear time and within a budget. */
export interface Pattern {
  readonly source: string;
  /** Whether the pattern is found anywhere in the text; `unknown` when the budget ran out first. */
  search(text: string, budget: PatternBudget): Match;
}

/** Program size times length below which a match cannot be slow (a few milliseconds at worst). */
const CHEAP = 50_000;

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  // These change how JavaScript iterates or counts, not what matches.
  u: 0,
  v: 0,
  g: 0,
  d: 0,
};

/** What backtracking engines have and linear-time ones cannot. */
const UNSUPPORTED = /\(\?<?[=!]|\(\?>|\\[1-9]|\\k<|[*+?}]\+/;

/** Compiles a regular expression for the linear-time engine; throws `bad_pattern` or `unsupported_pattern`. */
export function compilePattern(source: string, flags = ""): Pattern {
  let bits = 0;
  for (const flag of flags) {
    const bit = FLAGS[flag];
    if (bit === undefined) throw refused("bad_pattern", source, `it has the unknown flag "${flag}"`);
    bits |= bit;
  }
  const compiled = compile(source, bits);
  const size = compiled.programSize();
  return {
    source,
    search(text, budget) {
      if (budget.spent) return "unknown";
      if (size * text.length <= CHEAP) return compiled.test(text) ? "yes" : "no";
      return metered(compiled, text, budget);
    },
  };
}

function compile(source: string, bits: number): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), bits);
  } catch (error) {
    const code = UNSUPPORTED.test(source) ? "unsupported_pattern" : "bad_pattern";
    throw refused(code, source, messageOf(error).replace(/^error parsing regexp: /, ""), error);
  }
}

function metered(compiled: RE2JS, text: string, budget: PatternBudget): Match {
  try {
    // A String object is text to the engine; its own `charCodeAt` is what lets us interrupt a match.
    return compiled.test(new MeteredText(text, budget) as unknown as string) ? "yes" : "no";
  } catch (error) {
    if (error instanceof BudgetSpent) return "unknown";
    throw error;
  }
}

function refused(
  code: "bad_pattern" | "unsupported_pattern",
  source: string,
  why: string,
  cause?: unknown,
): TenterhookError {
  const hint =
    code === "unsupported_pattern"
      ? "Patterns meet text that a model wrote, so they run on a linear-time engine without look-around and back-references; use a predicate for this."
      : "Check the regular expression.";
  return new TenterhookError(code, `the pattern /${source}/ cannot be used: ${why}.`, { hint, cause });
}
