import type { Insights } from "@tenterhook/protocol/runs";
import { formatCount } from "../components/format-count.ts";
import { ChartPanel } from "../insights/chart-panel.tsx";
import { ComparedNumber } from "../insights/compared-number.tsx";
import { decidedRuns } from "../insights/counted-runs.ts";
import { decisionsOverTime } from "../insights/decisions-chart.ts";
import { NumberRow } from "../insights/number-row.tsx";
import {
  countGroup,
  OUTCOME_GROUPS,
  type OutcomeGroup,
  outcomeLabel,
  outcomesIn,
} from "../insights/outcome-groups.ts";
import { RunsLink } from "../insights/runs-link.tsx";

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
            note={<Details group={group} insights={insights} />}
          />
        ))}
      </NumberRow>
    </ChartPanel>
  );
}

interface DetailsProps {
  readonly group: OutcomeGroup;
  readonly insights: Insights;
}

/** The outcomes of a group, when it sums up several or is one of another name: `2 blocked, 1 kept running`. */
function Details({ group, insights }: DetailsProps) {
  const { decisions } = insights.current;
  const outcomes = outcomesIn(group, decisions);
  if (outcomes.length === 0 || (outcomes.length === 1 && outcomes[0] === group.key)) return null;
  return outcomes.map((outcome, index) => {
    const count = formatCount(decisions[outcome] ?? 0);
    return (
      <span key={outcome}>
        {index > 0 && ", "}
        <RunsLink search={decidedRuns(insights, [outcome])} name={`${count} ${outcomeLabel(outcome)} alone`}>
          {count}
        </RunsLink>{" "}
        {outcomeLabel(outcome)}
      </span>
    );
  });
}
