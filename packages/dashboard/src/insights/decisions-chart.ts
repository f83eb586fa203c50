import type { Insights } from "@tenterhook/protocol/runs";
import type { ChartData, RunSearch } from "./chart-data.ts";
import { decidedRuns } from "./counted-runs.ts";
import { groupValues, OUTCOME_GROUPS, outcomesIn } from "./outcome-groups.ts";
import { labelSteps } from "./step-labels.ts";

interface Filters {
  readonly agent?: string | undefined;
  /** As `named:curfew`. */
  readonly hook?: string | undefined;
  readonly tool?: string | undefined;
}

/** What hooks decided, over time; all of them, or as the request was filtered. */
export function decisionsOverTime(insights: Insights, { agent, ...filters }: Filters = {}): ChartData {
  const steps = labelSteps(insights);
  const decisionsAt = (index: number) => insights.series[index]?.decisions ?? {};
  return {
    series: OUTCOME_GROUPS,
    rows: steps.map(({ from, label, title }, index) => ({
      key: from,
      label,
      title,
      values: groupValues(decisionsAt(index)),
    })),
    link: ({ key }, { key: group }) => {
      const index = steps.findIndex(({ from }) => from === key);
      const [step, chosen] = [steps[index], OUTCOME_GROUPS.find((each) => each.key === group)];
      if (step === undefined || chosen === undefined) return undefined;
      const outcomes = outcomesIn(chosen, decisionsAt(index));
      return decidedRuns({ since: step.from, until: step.to, agent }, outcomes, filters);
    },
    linkTotal: ({ key }) => decidedInGroup(insights, key, { agent, ...filters }),
  };
}

/** The runs of all decisions of a group in the whole period. */
export function decidedInGroup(
  { since, until, current }: Insights,
  group: string,
  { agent, ...filters }: Filters,
): RunSearch | undefined {
  const chosen = OUTCOME_GROUPS.find(({ key }) => key === group);
  return chosen && decidedRuns({ since, until, agent }, outcomesIn(chosen, current.decisions), filters);
}
