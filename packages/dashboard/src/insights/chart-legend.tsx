import { useComputedColorScheme } from "@mantine/core";
import { formatCount } from "../components/format-count.ts";
import { CHART_COLORS } from "./chart-colors.ts";
import { type ChartData, seriesTotal } from "./chart-data.ts";
import classes from "./chart-legend.module.css";

/** What the colours of a chart mean, with the sum of each. */
export function ChartLegend({ data }: { readonly data: ChartData }) {
  const colors = CHART_COLORS[useComputedColorScheme("light")];
  const { series, format = formatCount } = data;
  return (
    <ul className={classes.legend} aria-label="Legend">
      {series.map((each) => (
        <li key={each.key}>
          <span className={classes.color} style={{ background: colors[each.color] }} />
          {each.label} {format(seriesTotal(data, each))}
        </li>
      ))}
    </ul>
  );
}
