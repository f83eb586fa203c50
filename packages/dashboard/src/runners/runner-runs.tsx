import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { AgentLink, RunLink } from "../parts/links.tsx";
import { ProblemState } from "../parts/problem-state.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Took } from "../parts/times.tsx";

/** What a runner is carrying out now. */
export function RunnerRuns({ id }: { readonly id: string }) {
  const { data, error } = useQuery(queries.runnerRuns(id));
  if (error !== null) return <ProblemState error={error} />;
  if (data === undefined) return <Skeleton h={22} role="status" aria-label="Loading" />;
  return (
    <Stack gap={6} component="ul" m={0} p={0} aria-label="Running now" style={{ listStyle: "none" }}>
      {data.runs.map(({ run_id, agent_name, status, started_at, created_at }) => (
        <Group key={run_id} component="li" gap="xs">
          <RunLink id={run_id} />
          <AgentLink name={agent_name} />
          <StatusBadge status={status} />
          <Text size="sm" c="dimmed" component="span">
            <Took from={started_at ?? created_at} to={null} />
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
