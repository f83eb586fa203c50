import { countText } from "../components/count-text.ts";
import { formatCount } from "../components/format-count.ts";
import { outcomeLabel } from "../insights/outcome-groups.ts";
import type { RunFilters } from "./run-filters.ts";

interface Stored {
  readonly count: number;
  readonly more: boolean;
  readonly decisions?: number | undefined;
}

/** What to say above a list about what was counted, and what has been removed since. */
export function countedText({ decision }: RunFilters, counted: number, stored: Stored): string | undefined {
  if (decision.length === 0) {
    if (stored.more || stored.count >= counted) return undefined;
    const [were, removed] = [counted === 1 ? "was" : "were", counted - stored.count];
    return `${countText(counted, "run")} ${were} counted in this time; ${removedText(removed, counted)} been removed since.`;
  }
  const calls = `${countText(counted, "call")} of hooks: ${decision.map(outcomeLabel).join(", ")}`;
  if (stored.more) return `${calls}. The list has more than 1,000 runs.`;
  const kept = stored.decisions ?? 0;
  if (kept >= counted) return `${calls}, in ${countText(stored.count, "run")}.`;
  const gone = counted - kept;
  return `${calls}. ${formatCount(kept)} of them ${kept === 1 ? "is" : "are"} in the runs below; ${formatCount(gone)} ${gone === 1 ? "was" : "were"} in runs that have been removed since.`;
}

/** `3 of them have`, `1 of them has`, or `it has` */
function removedText(removed: number, counted: number): string {
  if (counted === 1) return "it has";
  return `${formatCount(removed)} of them ${removed === 1 ? "has" : "have"}`;
}
