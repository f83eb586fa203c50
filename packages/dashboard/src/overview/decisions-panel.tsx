import type { Insights } from "@tenterhook/protocol/runs";
import { ChartPanel } from "../insights/chart-panel.tsx";
import { ComparedNumber } from "../insights/compared-number.tsx";
import { decidedRuns } from "../insights/counted-runs.ts";
import { decisionsOverTime } from "../insights/decisions-chart.ts";
import { NumberRow } from "../insights/number-row.tsx";
import {
  countGroup,
  type Decisions,
  OUTCOME_GROUPS,
  type OutcomeGroup,
  outcomeLabel,
  outcomesIn,
} from "../insights/outcome-groups.ts";

/** Groups without a number while there is none. */
const RARE = ["would", "other"];

/** What hooks decided: those of runs, and those on runners. */
export function DecisionsPanel({ insights }: { readonly insights: Insights }) {
  const { current, previous, before } = insights;
  const isShown = (group: OutcomeGroup) =>
    !RARE.includes(group.key) ||
    countGroup(group, current.decisions) + countGroup(group, previous.decisions) > 0;
  return (
    <ChartPanel
      title="Decisions of hooks"
      layout="over_time"
      head="Decided"
      data={decisionsOverTime(insights)}
      empty="No hook was called in this time. Calls appear here by what they decided."
      note="Calls of hooks of runs and on runners. A number leads to the runs of these calls."
    >
      <NumberRow label="Decisions by outcome">
        {OUTCOME_GROUPS.filter(isShown).map((group) => (
          <ComparedNumber
            key={group.key}
            label={group.label}
            value={countGroup(group, current.decisions)}
            before={countGroup(group, previous.decisions)}
            link={decidedRuns(insights, outcomesIn(group, current.decisions))}
            linkBefore={decidedRuns(before, outcomesIn(group, previous.decisions))}
            note={detailText(group, current.decisions)}
          />
        ))}
      </NumberRow>
    </ChartPanel>
  );
}

/** The outcomes of a group, when it sums up several or is one of another name: `2 blocked, 1 kept running`. */
function detailText(group: OutcomeGroup, decisions: Decisions): string | undefined {
  const outcomes = outcomesIn(group, decisions);
  if (outcomes.length === 0 || (outcomes.length === 1 && outcomes[0] === group.key)) return undefined;
  return outcomes.map((outcome) => `${decisions[outcome]} ${outcomeLabel(outcome)}`).join(", ");
}
