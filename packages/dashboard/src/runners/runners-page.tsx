import { Code, Group, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core";
import { IconServer2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { Fold } from "../parts/fold.tsx";
import { CopyIcon } from "../parts/json-view.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { ProblemState } from "../parts/problem-state.tsx";
import { GoneRunners } from "./gone-runners.tsx";
import { RunnerCard } from "./runner-card.tsx";

/** Who carries out runs: who is alive, what each does now, and how much more it could do. */
export function RunnersPage() {
  const { data, error, refetch } = useQuery(queries.runners());
  const here = data?.filter(({ state }) => state !== "gone") ?? [];
  const gone = data?.filter(({ state }) => state === "gone") ?? [];
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
      {data !== undefined && here.length === 0 && <NoRunner />}
      <Stack gap="lg">
        {here.length > 0 && (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            {here.map((runner) => (
              <RunnerCard key={runner.runner_id} runner={runner} />
            ))}
          </SimpleGrid>
        )}
        {gone.length > 0 && (
          <Fold label={gone.length === 1 ? "1 that is gone" : `${gone.length} that are gone`}>
            <GoneRunners runners={gone} />
          </Fold>
        )}
      </Stack>
    </>
  );
}

function NoRunner() {
  const command = `tenterhook runner --url ${location.origin} --token …`;
  return (
    <EmptyState icon={IconServer2} title="No runner is there">
      <Stack gap="sm" align="center">
        <Text size="sm">
          Runs wait until there is one. Start it on a machine that can reach this address:
        </Text>
        <Group gap={4} wrap="nowrap">
          <Code style={{ fontSize: 12, textAlign: "left" }}>{command}</Code>
          <CopyIcon text={command} label="Copy the command" />
        </Group>
        <Text size="sm">
          <Code>tenterhook token create --name build-machine --scope runner</Code> makes a token for it. On
          the coordinator's own machine <Code>tenterhook runner</Code> is enough.
        </Text>
      </Stack>
    </EmptyState>
  );
}
