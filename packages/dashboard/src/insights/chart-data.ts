import type { ChartColor } from "./chart-colors.ts";

/** The search parameters of the list of runs that is behind a number. */
export type RunSearch = Readonly<Record<string, string | undefined>>;

/** One of the colours of a chart, such as an outcome. */
export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  readonly color: ChartColor;
}

/** A place on the axis of a chart: a step of time, or something that is compared with others. */
export interface ChartRow {
  readonly key: string;
  /** On the axis. */
  readonly label: string;
  /** In the table and in the tooltip, where there is more room. Default: the label. */
  readonly title?: string;
  /** Why its numbers lead to no list. */
  readonly unlisted?: string;
  /** By the key of the series; absent ones are 0. */
  readonly values: Readonly<Record<string, number>>;
}

/** What a chart shows, and the table behind it. */
export interface ChartData {
  readonly series: readonly ChartSeries[];
  readonly rows: readonly ChartRow[];
  /** The runs behind a number. */
  readonly link?: (row: ChartRow, series: ChartSeries) => RunSearch | undefined;
  /** The runs behind the sum of a series. */
  readonly linkTotal?: (series: ChartSeries) => RunSearch | undefined;
  /** Default: with separators. */
  readonly format?: (value: number) => string;
}

export function chartValue(row: ChartRow, series: ChartSeries): number {
  return row.values[series.key] ?? 0;
}

/** The sum of a series. */
export function seriesTotal({ rows }: Pick<ChartData, "rows">, series: ChartSeries): number {
  return rows.reduce((sum, row) => sum + chartValue(row, series), 0);
}

/** Whether there is nothing to draw. */
export function isEmptyChart(data: ChartData): boolean {
  return data.series.every((series) => seriesTotal(data, series) === 0);
}

/** Without the series that are zero everywhere; a legend of seven colours for two bars explains nothing. */
export function withoutEmptySeries(data: ChartData): ChartData {
  return { ...data, series: data.series.filter((series) => seriesTotal(data, series) !== 0) };
}

/** The rows up to a number, and all others as one. */
export function withOthers(
  rows: readonly ChartRow[],
  most: number,
  others: (count: number) => string,
): readonly ChartRow[] {
  if (rows.length <= most) return rows;
  const values: Record<string, number> = {};
  for (const row of rows.slice(most - 1))
    for (const [key, value] of Object.entries(row.values)) values[key] = (values[key] ?? 0) + value;
  const label = others(rows.length - most + 1);
  return [...rows.slice(0, most - 1), { key: OTHER_ROWS, label, values }];
}

/** The keys of the rows that are not among the others. */
export function namesBeforeOthers(rows: readonly Pick<ChartRow, "key">[], most: number): readonly string[] {
  return rows.slice(0, most - 1).map(({ key }) => key);
}

/** The key of the row for all others. */
export const OTHER_ROWS = "(others)";
