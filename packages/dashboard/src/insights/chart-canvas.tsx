import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { useComputedColorScheme } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { formatCount } from "../components/format-count.ts";
import { useIsNarrow } from "../components/use-is-narrow.ts";
import { CHART_COLORS } from "./chart-colors.ts";
import { type ChartData, chartValue } from "./chart-data.ts";

/** `over_time`: columns from left to right; `by_category`: rows with names. */
export type ChartLayout = "over_time" | "by_category";

export interface ChartCanvasProps {
  readonly data: ChartData;
  readonly layout: ChartLayout;
  readonly height: number;
}

/** Where a row of the library's data has its key; no series is called so. */
const ROW_KEY = "(row)";

/** Names beside the bars; the table has them in full. */
const MAX_NAME = 18;

/** With more columns than this in a narrow window, a line around each would cover it. */
const MAX_OUTLINED = 48;

/** The picture of a chart. Its library is large, so this file is loaded after the page: see `chart.tsx`. */
export function ChartCanvas({ data, layout, height }: ChartCanvasProps) {
  const { series, rows, link, format = formatCount } = data;
  const areCounts = data.format === undefined;
  const colors = CHART_COLORS[useComputedColorScheme("light")];
  const navigate = useNavigate();
  const isOverTime = layout === "over_time";
  const isNarrow = useIsNarrow();
  const isOutlined = !(isNarrow && isOverTime && rows.length > MAX_OUTLINED);
  const rowsByKey = new Map(rows.map((row) => [row.key, row]));
  const findLabel = (key: unknown) => rowsByKey.get(String(key))?.label ?? "";
  const open = (rowKey: string, key: string) => {
    const [row, chosen] = [rowsByKey.get(rowKey), series.find((each) => each.key === key)];
    const search = row && chosen && link?.(row, chosen);
    if (search !== undefined) void navigate({ to: "/runs", search });
  };
  return (
    <BarChart
      h={height}
      data={rows.map((row) => ({
        [ROW_KEY]: row.key,
        ...Object.fromEntries(series.map((each) => [each.key, chartValue(row, each)])),
      }))}
      dataKey={ROW_KEY}
      series={series.map(({ key, label, color }) => ({ name: key, label, color: colors[color] }))}
      type="stacked"
      orientation={isOverTime ? "horizontal" : "vertical"}
      gridAxis={isOverTime ? "x" : "y"}
      tickLine="none"
      valueFormatter={format}
      xAxisProps={isOverTime ? { tickFormatter: findLabel, minTickGap: 24 } : { allowDecimals: !areCounts }}
      yAxisProps={
        isOverTime
          ? { width: 52, allowDecimals: false }
          : { width: 140, interval: 0, tickFormatter: (key) => shorten(findLabel(key)) }
      }
      tooltipProps={{
        labelFormatter: (key) => rowsByKey.get(String(key))?.title ?? findLabel(key),
      }}
      maxBarWidth={isOverTime ? 36 : 22}
      barProps={({ name }) => ({
        onClick: ({ payload }) => open(String((payload as Record<string, unknown>)[ROW_KEY]), name),
        style: { cursor: link === undefined ? undefined : "pointer" },
        // A line between the parts of a column; colours alone do not separate them.
        stroke: "var(--mantine-color-body)",
        strokeOpacity: 1,
        strokeWidth: isOutlined ? 1 : 0,
      })}
      // The table has the same for the keyboard and for screen readers.
      accessibilityLayer={false}
    />
  );
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
}
