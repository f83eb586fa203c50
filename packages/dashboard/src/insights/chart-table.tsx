import { ScrollArea, Table, Text } from "@mantine/core";
import { formatCount } from "../components/format-count.ts";
import { type ChartData, type ChartRow, type ChartSeries, chartValue } from "./chart-data.ts";
import { RunsLink } from "./runs-link.tsx";

interface Props {
  readonly data: ChartData;
  /** What the chart shows. */
  readonly title: string;
  /** What the rows are: `Time`, `Agent`. */
  readonly head: string;
}

/** The numbers of a chart, each with the link to its runs. */
export function ChartTable({ data, title, head }: Props) {
  const rows = data.rows.filter((row) => data.series.some((series) => chartValue(row, series) !== 0));
  return (
    <>
      <ScrollArea.Autosize
        mah={320}
        viewportProps={{ tabIndex: 0, role: "region", "aria-label": `Table: ${title}` }}
      >
        <Table withTableBorder stickyHeader fz="sm" aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{head}</Table.Th>
              {data.series.map(({ key, label }) => (
                <Table.Th key={key} scope="col" ta="right">
                  {label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.key}>
                <Table.Th scope="row" fw={500} style={{ overflowWrap: "anywhere" }}>
                  {row.title ?? row.label}
                </Table.Th>
                {data.series.map((series) => (
                  <Table.Td key={series.key} ta="right">
                    <Value data={data} row={row} series={series} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {rows.length < data.rows.length && (
        <Text size="xs" c="dimmed" mt={4}>
          Rows with nothing but zeros are left out.
        </Text>
      )}
    </>
  );
}

interface ValueProps {
  readonly data: ChartData;
  readonly row: ChartRow;
  readonly series: ChartSeries;
}

function Value({ data: { link, format = formatCount }, row, series }: ValueProps) {
  const value = chartValue(row, series);
  const search = value === 0 ? undefined : link?.(row, series);
  if (search === undefined)
    return row.unlisted === undefined ? format(value) : <span title={row.unlisted}>{format(value)}</span>;
  return (
    <RunsLink
      search={search}
      name={`${format(value)} ${series.label.toLowerCase()}, ${row.title ?? row.label}`}
    >
      {format(value)}
    </RunsLink>
  );
}
