import { Badge, Card, Group, Progress, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { RunnerRecord } from "@tenterhook/protocol/runs";
import { useId } from "react";
import { useMay } from "../access/identity.ts";
import { queries } from "../api/queries.ts";
import { Disclosure } from "../components/disclosure.tsx";
import { AgentLink, RunLink } from "../components/links.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { Ago, Duration } from "../components/times.tsx";
import { TrialBadge } from "../components/trial-badge.tsx";
import { DrainButton } from "./drain-button.tsx";
import { machineText, offersOf, STATE_LABELS, usedPercent } from "./runner-labels.ts";

/** A connected runner. */
export function RunnerCard({ runner }: { readonly runner: RunnerRecord }) {
  const title = useId();
  const { name, runner_id, state, tags, active_runs, concurrency, info, seen_at } = runner;
  const { label, color } = STATE_LABELS[state];
  const offers = offersOf(info);
  return (
    <Card withBorder padding="md" bg="var(--mantine-color-body)" component="article" aria-labelledby={title}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Stack gap={0} miw={0}>
            <Group gap="xs">
              <Title order={2} size="h4" id={title} style={{ overflowWrap: "anywhere" }}>
                {name}
              </Title>
              <Badge color={color} variant="light" radius="sm" tt="none">
                {label}
              </Badge>
              {tags.map((tag) => (
                <Badge key={tag} variant="default" radius="sm" tt="none" fw={500}>
                  {tag}
                </Badge>
              ))}
            </Group>
            <Text size="sm" c="dimmed" component="div">
              seen <Ago time={seen_at} />
            </Text>
          </Stack>
          {useMay("administer") && <DrainButton runner={runner} />}
        </Group>
        <Stack gap={4}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              {active_runs} of {concurrency} {concurrency === 1 ? "slot" : "slots"} used
            </Text>
            {active_runs > concurrency && (
              <Text size="xs" c="dimmed">
                hook runs need no slot
              </Text>
            )}
          </Group>
          <Progress value={usedPercent(runner)} size="sm" aria-label={`Slots of ${name} used`} />
        </Stack>
        {active_runs > 0 && <RunnerRuns id={runner_id} />}
        <Disclosure label="Machine">
          <Stack gap={4}>
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {machineText(info)}
            </Text>
            <Text size="sm" ff="monospace" style={{ overflowWrap: "anywhere" }}>
              {runner_id}
            </Text>
            {offers.map(([kind, names]) => (
              <Text size="sm" key={kind} style={{ overflowWrap: "anywhere" }}>
                {kind}: {names.join(", ")}
              </Text>
            ))}
          </Stack>
        </Disclosure>
      </Stack>
    </Card>
  );
}

/** The runs that a runner executes now. */
function RunnerRuns({ id }: { readonly id: string }) {
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
