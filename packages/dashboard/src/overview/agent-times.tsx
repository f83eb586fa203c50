import { Card, ScrollArea, Stack, Table, Text, Title } from "@mantine/core";
import type { Insights } from "@tenterhook/protocol/runs";
import { useId } from "react";
import { durationText } from "../components/durations.ts";
import { formatCount } from "../components/format-count.ts";
import { AgentLink } from "../components/links.tsx";
import type { RunSearch } from "../insights/chart-data.ts";
import { ComparedNumber } from "../insights/compared-number.tsx";
import { createdRuns, endedRuns, REMOVED_EARLY, startedRuns } from "../insights/counted-runs.ts";
import { NumberRow } from "../insights/number-row.tsx";
import { RunsLink } from "../insights/runs-link.tsx";

const MEASURED = [
  { key: "time_to_start", label: "Time to start", runs: startedRuns },
  { key: "duration", label: "Duration", runs: endedRuns },
] as const;
const PERCENTILES = [
  { key: "p50_ms", label: "p50" },
  { key: "p95_ms", label: "p95" },
] as const;

const COLUMNS = [
  ...["Created", "Completed", "Failed", "Stopped"],
  ...MEASURED.flatMap(({ label }) => PERCENTILES.map((percentile) => `${label}, ${percentile.label}`)),
];

/** How long runs wait and take, all together and by agent. */
export function AgentTimes({ insights }: { readonly insights: Insights }) {
  const id = useId();
  const { current, previous, before, agents } = insights;
  return (
    <Card withBorder padding="md" bg="var(--mantine-color-body)" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h5" id={id}>
          Waiting and duration
        </Title>
        <Text size="sm" c="dimmed">
          From the creation of a run to its first start, and from there to its end. p50 and p95 are estimates
          from buckets of durations.
        </Text>
        <NumberRow label="Waiting and duration">
          {MEASURED.flatMap(({ key, label, runs }) =>
            PERCENTILES.map((percentile) => (
              <ComparedNumber
                key={`${key} ${percentile.key}`}
                label={`${label}, ${percentile.label}`}
                value={current[key][percentile.key]}
                before={previous[key][percentile.key]}
                format={durationText}
                link={runs(insights)}
                linkBefore={runs(before)}
              />
            )),
          )}
        </NumberRow>
        {agents.length === 0 ? (
          <Text size="sm" c="dimmed">
            No run was created, started or ended in this time. Agents appear here with their runs.
          </Text>
        ) : (
          <AgentTable insights={insights} />
        )}
      </Stack>
    </Card>
  );
}

function AgentTable({ insights: { agents, since, until } }: { readonly insights: Insights }) {
  return (
    <ScrollArea.Autosize
      mah={320}
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": "Runs by agent" }}
    >
      <Table fz="sm" stickyHeader miw={860} aria-label="Runs by agent">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Agent</Table.Th>
            {COLUMNS.map((label) => (
              <Table.Th key={label} scope="col" ta="right">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {agents.map((row) => {
            const { agent, runs } = row;
            const period = { since, until, agent };
            return (
              <Table.Tr key={agent}>
                <Table.Th scope="row" fw={500} miw={120}>
                  {agent === "" ? "unknown" : <AgentLink name={agent} />}
                </Table.Th>
                <Count agent={agent} label="created" count={runs.created} search={createdRuns(period)} />
                <Count
                  agent={agent}
                  label="completed"
                  count={runs.completed}
                  search={endedRuns(period, "completed")}
                />
                <Count
                  agent={agent}
                  label="failed"
                  count={runs.failed}
                  search={endedRuns(period, "failed")}
                />
                <Count
                  agent={agent}
                  label="stopped"
                  count={runs.stopped}
                  search={endedRuns(period, "stopped")}
                />
                {MEASURED.flatMap(({ key, label, runs: list }) =>
                  PERCENTILES.map((percentile) => (
                    <Estimate
                      key={`${key} ${percentile.key}`}
                      agent={agent}
                      label={`${label}, ${percentile.label}`}
                      ms={row[key][percentile.key]}
                      search={list(period)}
                    />
                  )),
                )}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}

interface CountProps {
  readonly agent: string;
  readonly label: string;
  readonly count: number;
  readonly search: RunSearch;
}

function Count({ agent, label, count, search }: CountProps) {
  return (
    <Table.Td ta="right" title={agent === "" ? REMOVED_EARLY : undefined}>
      {count === 0 || agent === "" ? (
        formatCount(count)
      ) : (
        <RunsLink search={search} name={`${formatCount(count)} ${label}, ${agent}`}>
          {formatCount(count)}
        </RunsLink>
      )}
    </Table.Td>
  );
}

interface EstimateProps {
  readonly agent: string;
  readonly label: string;
  readonly ms: number | null;
  readonly search: RunSearch;
}

/** The list has the runs that were measured. */
function Estimate({ agent, label, ms, search }: EstimateProps) {
  const text = ms === null ? "–" : durationText(ms);
  return (
    <Table.Td ta="right" title={agent === "" ? REMOVED_EARLY : undefined}>
      {ms === null || agent === "" ? (
        text
      ) : (
        <RunsLink search={search} name={`${text} ${label.toLowerCase()}, ${agent}`}>
          {text}
        </RunsLink>
      )}
    </Table.Td>
  );
}
