import { compileRegex } from "@tenterhook/internal/regex";
import { TenterhookError } from "@tenterhook/protocol";
import { BudgetSpent, MeteredText, PatternBudget } from "../../match/pattern-budget.ts";
import type { Scan } from "./scan.ts";

/** Linear as the engine is, finding every match of a pattern can still take the square of the text's length. */
const LONGEST_MS = 1_000;

/** Makes a scan of a pattern; throws `bad_pattern` or `unsupported_pattern` when it cannot be used. */
export function customScan(name: string, pattern: string | RegExp): Scan {
  const source = typeof pattern === "string" ? pattern : pattern.source;
  const flags = typeof pattern === "string" ? "" : pattern.flags;
  const compiled = compileRegex(source, flags);
  const size = compiled.programSize();
  return ({ text }, found) => {
    const budget = new PatternBudget(LONGEST_MS);
    const metered = new MeteredText(text, budget, size);
    try {
      // A String object is text to the engine, and lets us interrupt it.
      const matcher = compiled.matcher(metered as unknown as string);
      budget.spend(() => {
        while (matcher.find()) if (matcher.end() > matcher.start()) found(matcher.start(), matcher.end());
      });
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      const problem = `the custom pattern "${name}" took longer than ${LONGEST_MS} ms.`;
      const hint = "Make it simpler, or bound its repetitions.";
      throw new TenterhookError("bad_pattern", problem, { hint });
    }
  };
}
