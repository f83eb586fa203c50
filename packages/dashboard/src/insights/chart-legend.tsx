import { useComputedColorScheme } from "@mantine/core";
import { formatCount } from "../components/format-count.ts";
import { CHART_COLORS } from "./chart-colors.ts";
import { type ChartData, type ChartSeries, seriesTotal } from "./chart-data.ts";
import classes from "./chart-legend.module.css";
import { RunsLink } from "./runs-link.tsx";

/** What the colours of a chart mean, with the sum of each, which leads to its runs. */
export function ChartLegend({ data }: { readonly data: ChartData }) {
  const colors = CHART_COLORS[useComputedColorScheme("light")];
  const { series, format = formatCount, linkTotal } = data;
  const total = (each: ChartSeries) => {
    const text = format(seriesTotal(data, each));
    const search = linkTotal?.(each);
    if (search === undefined) return text;
    return (
      <RunsLink search={search} name={`${text} ${each.label.toLowerCase()} in all`}>
        {text}
      </RunsLink>
    );
  };
  return (
    <ul className={classes.legend} aria-label="Legend">
      {series.map((each) => (
        <li key={each.key}>
          <span className={classes.color} style={{ background: colors[each.color] }} />
          {each.label} {total(each)}
        </li>
      ))}
    </ul>
  );
}
