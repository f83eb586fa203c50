import type { Insights } from "@tenterhook/protocol/runs";
import { labelSteps } from "../../insights/step-labels.ts";

/** What a hook does whether it is enforced or not. */
const IN_ANY_CASE: readonly string[] = ["passed", "failed", "started_in_background", "added_context"];

/** When a hook on a runner was last known not to be enforced. */
export interface HookTrial {
  /** `18 Nov, 14:00 – 14:15` */
  readonly last: string;
  /** It was called later, and did nothing that only an enforced hook does: it may be enforced meanwhile. */
  readonly wasCalledSince: boolean;
}

/**
 * Whether a hook on a runner is enforced is known only by what it does. Undefined if it would have done nothing, or has done something
 * since.
 */
export function findTrial(
  insights: Pick<Insights, "series" | "step" | "timezone" | "until">,
): HookTrial | undefined {
  const { series } = insights;
  const last = series.findLastIndex(({ decisions }) =>
    has(decisions, (outcome) => outcome.startsWith("would_")),
  );
  const later = series.slice(last + 1);
  const label = labelSteps(insights)[last];
  if (label === undefined || later.some(({ decisions }) => has(decisions, isEffect))) return undefined;
  return { last: label.title, wasCalledSince: later.some(({ decisions }) => has(decisions, () => true)) };
}

function isEffect(outcome: string): boolean {
  return !outcome.startsWith("would_") && !IN_ANY_CASE.includes(outcome);
}

function has(decisions: Readonly<Record<string, number>>, isWanted: (outcome: string) => boolean): boolean {
  return Object.entries(decisions).some(([outcome, count]) => count > 0 && isWanted(outcome));
}
