import { Code, Group, Paper, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core";
import { IconServer2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { RunnerRecord } from "@tenterhook/protocol/runs";
import { queries } from "../api/queries.ts";
import { countText } from "../components/count-text.ts";
import { Disclosure } from "../components/disclosure.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { SortChoice } from "../components/sort-controls.tsx";
import type { SortColumn } from "../components/sort-rows.ts";
import { StartRunner } from "../components/start-runner.tsx";
import { Ago } from "../components/times.tsx";
import { useSort } from "../components/use-sort.ts";
import { RunnerCard } from "./runner-card.tsx";
import { machineText } from "./runner-labels.ts";

/** The runners with their state, their current runs and their free slots. */
export function RunnersPage() {
  const { data, error, refetch } = useQuery(queries.runners());
  const control = useSort(RUNNER_COLUMNS);
  const connected = control.apply(data?.filter(({ state }) => state !== "gone") ?? []);
  const offline = (data?.filter(({ state }) => state === "gone") ?? []).sort(lastSeenFirst);
  return (
    <>
      <PageHeader title="Runners" />
      {error !== null && data === undefined && <ProblemState error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && (
        <SimpleGrid cols={{ base: 1, md: 2 }} role="status" aria-label="Loading">
          <Skeleton h={170} />
          <Skeleton h={170} />
        </SimpleGrid>
      )}
      {data !== undefined && connected.length === 0 && <NoRunners />}
      {connected.length > 1 && <SortChoice control={control} />}
      <Stack gap="lg">
        {connected.length > 0 && (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            {connected.map((runner) => (
              <RunnerCard key={runner.runner_id} runner={runner} />
            ))}
          </SimpleGrid>
        )}
        {offline.length > 0 && (
          <Disclosure label={countText(offline.length, "offline runner")}>
            <OfflineRunners runners={offline} />
          </Disclosure>
        )}
      </Stack>
    </>
  );
}

/** The order of offline runners, whose rows show when they were last seen. */
function lastSeenFirst(one: RunnerRecord, other: RunnerRecord): number {
  return Date.parse(other.seen_at) - Date.parse(one.seen_at);
}

function NoRunners() {
  return (
    <EmptyState icon={IconServer2} title="No runners connected">
      <Stack gap="sm" align="center">
        <Text size="sm">
          Runs wait until a runner connects. Start one on a machine that can reach this address:
        </Text>
        <StartRunner />
        <Text size="sm">
          <Code>tenterhook tokens create --name build-machine --scope runner</Code> creates a token for it. On
          the coordinator's own machine <Code>tenterhook runners start</Code> is enough.
        </Text>
      </Stack>
    </EmptyState>
  );
}

/** The sort keys of the cards of connected runners. */
const RUNNER_COLUMNS: readonly SortColumn<RunnerRecord>[] = [
  { key: "name", label: "Name", value: ({ name }) => name },
  { key: "state", label: "State", value: ({ state }) => state },
  { key: "used", label: "Slots used", value: ({ active_runs }) => active_runs, isDescendingFirst: true },
  {
    key: "free",
    label: "Free slots",
    value: ({ active_runs, concurrency }) => concurrency - active_runs,
    isDescendingFirst: true,
  },
];

/** Runners that stopped responding. Their runs were retried or have failed. */
function OfflineRunners({ runners }: { readonly runners: readonly RunnerRecord[] }) {
  return (
    <Paper withBorder component="ul" m={0} p={0} style={{ listStyle: "none" }} aria-label="Offline runners">
      {runners.map(({ runner_id, name, info, seen_at }) => (
        <li key={runner_id}>
          <Group px="sm" py={6} gap="sm" justify="space-between">
            <Stack gap={0} miw={0}>
              <Text size="sm" fw={500} style={{ overflowWrap: "anywhere" }}>
                {name}
              </Text>
              <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                {machineText(info)}
              </Text>
            </Stack>
            <Text size="sm" c="dimmed" component="div">
              last seen <Ago time={seen_at} />
            </Text>
          </Group>
        </li>
      ))}
    </Paper>
  );
}
