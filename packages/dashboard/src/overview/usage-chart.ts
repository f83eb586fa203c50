import type { Insights } from "@tenterhook/protocol/runs";
import { visibleText } from "../components/visible-text.ts";
import {
  type ChartData,
  type ChartRow,
  namesBeforeOthers,
  OTHER_ROWS,
  withOthers,
} from "../insights/chart-data.ts";
import { exceptNames, modelRuns, oneName, REMOVED_EARLY } from "../insights/counted-runs.ts";
import { formatCompact, formatCost } from "../insights/format-numbers.ts";

/** What tokens and costs are broken down by. */
export type UsageBy = "agent" | "model";

const MAX_ROWS = 8;

/** Tokens by agent or by model, those with the most first. */
export function tokensBy(insights: Insights, by: UsageBy): ChartData {
  return usageChart(insights, by, {
    series: [
      { key: "input_tokens", label: "Input tokens", color: "blue" },
      { key: "output_tokens", label: "Output tokens", color: "orange" },
    ],
    format: formatCompact,
  });
}

/** Cost by agent or by model. */
export function costBy(insights: Insights, by: UsageBy): ChartData {
  return usageChart(insights, by, {
    series: [{ key: "cost", label: "Cost", color: "green" }],
    format: (value) => formatCost(value, insights.currency),
  });
}

function usageChart(insights: Insights, by: UsageBy, chart: Pick<ChartData, "series" | "format">): ChartData {
  const sums = new Map<string, Record<string, number>>();
  for (const row of insights.models) {
    const sum = sums.get(row[by]) ?? {};
    sums.set(row[by], sum);
    for (const key of ["input_tokens", "output_tokens", "cost"] as const)
      sum[key] = (sum[key] ?? 0) + row[key];
  }
  const total = ({ values }: ChartRow) => chart.series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);
  const rows = [...sums]
    .map(
      ([name, values]): ChartRow => ({
        key: name,
        label: name === "" ? "unknown" : visibleText(name),
        ...(name === "" && by === "agent" && { unlisted: REMOVED_EARLY }),
        values,
      }),
    )
    .sort((one, other) => total(other) - total(one));
  const { since, until } = insights;
  return {
    ...chart,
    rows: withOthers(rows, MAX_ROWS, (count) => `${count} others`),
    link: ({ key }) => {
      const name = key === OTHER_ROWS ? exceptNames(namesBeforeOthers(rows, MAX_ROWS)) : oneName(key);
      if (by === "model") return modelRuns({ since, until }, name);
      return key === "" ? undefined : modelRuns({ since, until, agent: name });
    },
    linkTotal: () => modelRuns({ since, until }),
  };
}
