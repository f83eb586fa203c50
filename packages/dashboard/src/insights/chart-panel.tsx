import { Card, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Disclosure } from "../components/disclosure.tsx";
import { formatCount } from "../components/format-count.ts";
import { Chart } from "./chart.tsx";
import type { ChartLayout } from "./chart-canvas.tsx";
import { type ChartData, isEmptyChart, seriesTotal, withoutEmptySeries } from "./chart-data.ts";
import { ChartLegend } from "./chart-legend.tsx";
import { ChartTable } from "./chart-table.tsx";

interface Props {
  readonly title: string;
  readonly data: ChartData;
  readonly layout: ChartLayout;
  /** What the rows of the table are: `Time`, `Agent`. */
  readonly head: string;
  /** In place of an empty chart: what would be here, and when. */
  readonly empty: ReactNode;
  /** Beside the title, such as a choice. */
  readonly beside?: ReactNode;
  /** Below the title. */
  readonly note?: ReactNode;
  /** Above the chart, such as its sums; also shown when the chart is empty. */
  readonly children?: ReactNode;
  /** The level of its heading. Default 2. */
  readonly order?: 2 | 3;
}

/** A chart with its legend, and the table behind it. */
export function ChartPanel(props: Props) {
  const { title, layout, head, empty, beside, note, children, order = 2 } = props;
  const id = useId();
  const data = withoutEmptySeries(props.data);
  return (
    <Card
      withBorder
      padding="md"
      bg="var(--mantine-color-body)"
      component="section"
      aria-labelledby={id}
      miw={0}
    >
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={order} size="h5" id={id}>
            {title}
          </Title>
          {beside}
        </Group>
        {note !== undefined && (
          <Text size="sm" c="dimmed" component="div">
            {note}
          </Text>
        )}
        {children}
        {isEmptyChart(data) ? (
          <Text size="sm" c="dimmed" component="div">
            {empty}
          </Text>
        ) : (
          <>
            <ChartLegend data={data} />
            <Chart data={data} layout={layout} label={`${title}: ${summarize(data)}`} />
            <Disclosure label="Show as a table">
              <ChartTable data={data} title={title} head={head} />
            </Disclosure>
          </>
        )}
      </Stack>
    </Card>
  );
}

/** `12 completed, 3 failed` */
function summarize(data: ChartData): string {
  const { series, format = formatCount } = data;
  return series.map((each) => `${format(seriesTotal(data, each))} ${each.label.toLowerCase()}`).join(", ");
}
