import type { Insights } from "@tenterhook/protocol/runs";
import { durationText } from "../components/durations.ts";
import { visibleText } from "../components/visible-text.ts";
import { type ChartData, namesBeforeOthers, OTHER_ROWS, withOthers } from "../insights/chart-data.ts";
import { ChartPanel } from "../insights/chart-panel.tsx";
import { ComparedNumber } from "../insights/compared-number.tsx";
import { exceptNames, oneName, runnerRuns } from "../insights/counted-runs.ts";
import { NumberRow } from "../insights/number-row.tsx";

const MAX_ROWS = 12;

/** How much runners were used. */
export function RunnersPanel({ insights }: { readonly insights: Insights }) {
  const { current, previous, before, since, until } = insights;
  const links = { link: runnerRuns(insights), linkBefore: runnerRuns(before) };
  const lengthMs = Date.parse(until) - Date.parse(since);
  return (
    <ChartPanel
      title="Use of runners"
      layout="by_category"
      head="Runner"
      data={busyByRunner(insights)}
      empty="No runner has finished executing a run in this time. The time that runners worked appears here."
      note="The time of an attempt is added when it has ended."
    >
      <NumberRow label="Use of runners">
        <ComparedNumber
          label="Time of execution"
          value={current.busy_ms}
          before={previous.busy_ms}
          format={durationText}
          {...links}
        />
        <ComparedNumber
          label="Runs at once, on average"
          value={current.busy_ms / lengthMs}
          before={previous.busy_ms / lengthMs}
          format={(value) => (value > 0 && value < 0.01 ? "< 0.01" : value.toFixed(2))}
          {...links}
        />
      </NumberRow>
    </ChartPanel>
  );
}

function busyByRunner({ runners, since, until }: Insights): ChartData {
  const rows = runners.map(({ runner, busy_ms }) => ({
    key: runner,
    label: visibleText(runner),
    values: { busy_ms },
  }));
  return {
    series: [{ key: "busy_ms", label: "Time of execution", color: "purple" }],
    rows: withOthers(rows, MAX_ROWS, (count) => `${count} others`),
    format: durationText,
    link: ({ key }) => {
      const name = key === OTHER_ROWS ? exceptNames(namesBeforeOthers(rows, MAX_ROWS)) : oneName(key);
      return runnerRuns({ since, until }, name);
    },
    linkTotal: () => runnerRuns({ since, until }),
  };
}
