import { TenterhookError } from "@tenterhook/protocol";
import { RE2JS } from "re2js";
import { compilePattern } from "../../match/pattern.ts";
import { BudgetSpent, MeteredText, PatternBudget } from "../../match/pattern-budget.ts";
import type { Scan } from "./scan.ts";

/** Linear as the engine is, finding every place of a pattern can still take the square of the text's length. */
const LONGEST_MS = 1_000;

/** Makes a scan of a pattern; throws `bad_pattern` or `unsupported_pattern` when it cannot be used. */
export function customScan(name: string, pattern: string | RegExp): Scan {
  const source = typeof pattern === "string" ? pattern : pattern.source;
  const flags = typeof pattern === "string" ? "" : pattern.flags;
  // Compiled there for its errors, which say what is wrong; it only answers whether, and here it matters where.
  compilePattern(source, flags);
  const compiled = RE2JS.compile(RE2JS.translateRegExp(source), bitsOf(flags));
  return ({ text }, found) => {
    const metered = new MeteredText(text, new ScanBudget());
    try {
      // A String object is text to the engine, and lets us interrupt it.
      const matcher = compiled.matcher(metered as unknown as string);
      while (matcher.find()) if (matcher.end() > matcher.start()) found(matcher.start(), matcher.end());
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      throw new TenterhookError(
        "bad_pattern",
        `the custom pattern "${name}" took longer than ${LONGEST_MS} ms.`,
        {
          hint: "Make it simpler, or bound its repetitions.",
        },
      );
    }
  };
}

class ScanBudget extends PatternBudget {
  readonly #deadline = performance.now() + LONGEST_MS;

  override get spent(): boolean {
    return performance.now() > this.#deadline;
  }
}

function bitsOf(flags: string): number {
  return (
    (flags.includes("i") ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes("m") ? RE2JS.MULTILINE : 0) |
    (flags.includes("s") ? RE2JS.DOTALL : 0)
  );
}
