import { Badge, Card, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { TrialSummary } from "@tenterhook/protocol/runs";
import { queries } from "../../api/queries.ts";
import { ByPerson } from "../../components/by-person.tsx";
import { durationText } from "../../components/durations.ts";
import { RunLink } from "../../components/links.tsx";
import { ProblemState } from "../../components/problem-state.tsx";
import { Ago } from "../../components/times.tsx";
import { OUTCOME_COLORS } from "./outcome-colors.ts";

/** The last trials of a named hook. Nothing until it has been tried. */
export function RecentTrials({ hook }: { readonly hook: string }) {
  const { data, error, refetch } = useQuery(queries.hookTrials(hook));
  if (data === undefined) {
    return error === null ? null : <ProblemState error={error} retry={() => void refetch()} />;
  }
  if (data.trials.length === 0) return null;
  return (
    <Card withBorder padding="md" mb="lg" maw={860} component="section" aria-label="Last trials">
      <Text size="sm" fw={600} mb="xs">
        Last trials
      </Text>
      <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: "none" }}>
        {data.trials.map((trial) => (
          <li key={trial.trial_id}>
            <Trial trial={trial} />
          </li>
        ))}
      </Stack>
    </Card>
  );
}

function Trial({ trial }: { readonly trial: TrialSummary }) {
  const { outcome, reason, error, run_id, by, created_at } = trial;
  return (
    <Group gap="xs" align="baseline">
      <Badge color={OUTCOME_COLORS[outcome]} variant="light" radius="sm" tt="none">
        {outcome}
      </Badge>
      <Text size="sm" component="div" miw={0} flex={1} style={{ overflowWrap: "anywhere" }}>
        <Ago time={created_at} />
        <ByPerson name={by} />
        {` · ${facts(trial)}`}
        {(reason ?? error) !== null && ` · ${reason ?? error}`}
        {run_id !== null && (
          <>
            {" · "}
            <RunLink id={run_id} ff="inherit" inherit underline="always">
              View run
            </RunLink>
          </>
        )}
      </Text>
    </Group>
  );
}

function facts({ hook_type, agent_name, target_name, duration_ms }: TrialSummary): string {
  const of = agent_name === null ? [] : [`agent ${agent_name}`];
  return [hook_type, ...of, target_name, durationText(duration_ms)].join(" · ");
}
