import type { TrialSummary } from "@tenterhook/protocol/runs";

/** The colours of what tried hooks answered. */
export const OUTCOME_COLORS: Readonly<Record<TrialSummary["outcome"], string>> = {
  proceed: "green",
  block: "red",
  ask: "violet",
  failed: "red",
  abandoned: "gray",
};
