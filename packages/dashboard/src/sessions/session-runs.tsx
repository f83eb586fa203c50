import { Badge, Group, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { queries } from "../api/queries.ts";
import { Disclosure } from "../components/disclosure.tsx";
import { JsonView } from "../components/json-view.tsx";
import { RunLink } from "../components/links.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { AnchorLink } from "../components/router-links.ts";
import { StatusBadge } from "../components/status-badge.tsx";
import { Ago, Duration } from "../components/times.tsx";
import { TrialBadge } from "../components/trial-badge.tsx";

interface Props {
  readonly runs: readonly RunSummary[];
  readonly runCount: number;
  readonly sessionId: string;
}

/** The runs of a session, newest first, with their results. */
export function SessionRuns({ runs, runCount, sessionId }: Props) {
  if (runs.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        The runs of this session were deleted because of their age.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      {runs.map((run, index) => (
        <SessionRun key={run.run_id} run={run} isLatest={index === 0} />
      ))}
      {runCount > runs.length && (
        <Text size="sm" c="dimmed">
          Showing the latest {runs.length}.{" "}
          <AnchorLink to="/runs" search={{ search: sessionId }} inherit>
            View all
          </AnchorLink>
        </Text>
      )}
    </Stack>
  );
}

function SessionRun({ run, isLatest }: { readonly run: RunSummary; readonly isLatest: boolean }) {
  const { run_id, status, kind, waiting_for, block_reason, created_at, started_at, finished_at } = run;
  return (
    <Paper withBorder px="sm" py="xs" component="article" aria-label={`Run ${run_id}`}>
      <Stack gap={6}>
        <Group gap="sm">
          <RunLink id={run_id} fw={500} />
          <StatusBadge status={status} waitingFor={waiting_for} blockReason={block_reason} />
          {run.trial ? (
            <TrialBadge />
          ) : (
            kind !== "client" && (
              <Badge variant="default" radius="sm" tt="none" fw={500}>
                {kind}
              </Badge>
            )
          )}
          <Text size="sm" c="dimmed" component="div">
            <Ago time={created_at} />
            {started_at !== null && (
              <>
                , {finished_at === null ? "for" : "took"} <Duration from={started_at} to={finished_at} />
              </>
            )}
          </Text>
        </Group>
        <Outcome run={run} isLatest={isLatest} />
      </Stack>
    </Paper>
  );
}

function Outcome({ run, isLatest }: { readonly run: RunSummary; readonly isLatest: boolean }) {
  const { block_reason, error, status, stop_reason, run_id } = run;
  if (block_reason !== null) return <Labelled title="Blocked" text={block_reason} />;
  if (error !== null) return <Labelled title="Error" text={error} />;
  if (stop_reason !== null) return <Labelled title="Stopped" text={stop_reason} />;
  if (status !== "completed") return null;
  return (
    <Disclosure label="Result" isInitiallyOpen={isLatest}>
      <RunResult id={run_id} />
    </Disclosure>
  );
}

function Labelled({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Text size="sm" style={{ overflowWrap: "anywhere" }} lineClamp={6}>
      <Text span inherit fw={600}>
        {title}:
      </Text>{" "}
      {text}
    </Text>
  );
}

function RunResult({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(queries.run(id));
  if (error !== null) return <ProblemState error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton h={40} role="status" aria-label="Loading" />;
  const { result_data, result_text } = data;
  if (result_data === null && result_text === null) {
    return (
      <Text size="sm" c="dimmed">
        The run completed without a result.
      </Text>
    );
  }
  return <JsonView value={result_data ?? result_text} label="Result" />;
}
