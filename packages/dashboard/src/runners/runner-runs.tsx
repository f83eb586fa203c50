import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { AgentLink, RunLink } from "../components/links.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { Duration } from "../components/times.tsx";
import { TrialBadge } from "../components/trial-badge.tsx";

/** The runs that a runner executes now. */
export function RunnerRuns({ id }: { readonly id: string }) {
  const { data, error } = useQuery(queries.runnerRuns(id));
  if (error !== null) return <ProblemState error={error} />;
  if (data === undefined) return <Skeleton h={22} role="status" aria-label="Loading" />;
  return (
    <Stack gap={6} component="ul" m={0} p={0} aria-label="Current runs" style={{ listStyle: "none" }}>
      {data.runs.map(({ run_id, agent_name, status, waiting_for, trial, started_at, created_at }) => (
        <Group key={run_id} component="li" gap="xs">
          <RunLink id={run_id} />
          <AgentLink name={agent_name} />
          <StatusBadge status={status} waitingFor={waiting_for} />
          {trial && <TrialBadge />}
          <Text size="sm" c="dimmed" component="span">
            <Duration from={started_at ?? created_at} to={null} />
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
