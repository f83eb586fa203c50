import type { Insights } from "@tenterhook/protocol/runs";
import type { ChartSeries } from "../insights/chart-data.ts";
import { ChartPanel } from "../insights/chart-panel.tsx";
import { ComparedNumber } from "../insights/compared-number.tsx";
import { createdRuns, endedRuns, startedRuns } from "../insights/counted-runs.ts";
import { NumberRow } from "../insights/number-row.tsx";
import { labelSteps } from "../insights/step-labels.ts";

type Ended = "completed" | "failed" | "stopped";

const ENDED: readonly (ChartSeries & { readonly key: Ended })[] = [
  { key: "completed", label: "Completed", color: "blue" },
  { key: "failed", label: "Failed", color: "strong" },
  { key: "stopped", label: "Stopped", color: "orange" },
];

/** Runs by status. */
export function RunsPanel({ insights }: { readonly insights: Insights }) {
  const { current, previous, before } = insights;
  return (
    <ChartPanel
      title="Runs"
      layout="over_time"
      head="Ended"
      data={runsOverTime(insights)}
      empty="No run ended in this time. Ended runs appear here by status: completed, failed or stopped."
      note="Runs of hooks are counted, too. Failed runs include blocked ones."
    >
      <NumberRow label="Runs by status">
        <ComparedNumber
          label="Created"
          value={current.runs.created}
          before={previous.runs.created}
          link={createdRuns(insights)}
          linkBefore={createdRuns(before)}
        />
        <ComparedNumber
          label="Started"
          value={current.runs.started}
          before={previous.runs.started}
          link={startedRuns(insights)}
          linkBefore={startedRuns(before)}
        />
        {ENDED.map(({ key, label }) => (
          <ComparedNumber
            key={key}
            label={label}
            value={current.runs[key]}
            before={previous.runs[key]}
            link={endedRuns(insights, key)}
            linkBefore={endedRuns(before, key)}
          />
        ))}
      </NumberRow>
    </ChartPanel>
  );
}

function runsOverTime(insights: Insights) {
  const steps = labelSteps(insights);
  return {
    series: ENDED,
    rows: steps.map(({ from, label, title }, index) => ({
      ...{ key: from, label, title },
      values: { ...insights.series[index]?.runs },
    })),
    link: ({ key }: { readonly key: string }, series: ChartSeries) => {
      const step = steps.find(({ from }) => from === key);
      return step && endedRuns({ since: step.from, until: step.to }, series.key as Ended);
    },
    linkTotal: ({ key }: ChartSeries) => endedRuns(insights, key as Ended),
  };
}
