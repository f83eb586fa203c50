import { Group, Paper, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { IconArchiveOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { isProblem } from "../api/problem.ts";
import { queries } from "../api/queries.ts";
import { MissingState } from "../components/missing-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { useRunEvents } from "./events/use-run-events.ts";
import { RunActions } from "./head/run-actions.tsx";
import { RunAlerts } from "./head/run-alerts.tsx";
import { RunBadges, RunFacts } from "./head/run-facts.tsx";
import classes from "./run-page.module.css";
import { RunTabs } from "./run-tabs.tsx";

/** The page of one run. */
export function RunPage() {
  const { id } = useParams({ from: "/runs/$id" });
  const { data, error, refetch } = useQuery(queries.run(id));
  // A new key resets the state of rows when the run changes.
  if (data !== undefined) return <LoadedRun key={id} run={data} />;
  if (error === null) return <RunSkeleton />;
  if (isProblem(error, "not_found")) return <UnknownRun id={id} />;
  return (
    <>
      <PageHeader title="Run" />
      <ProblemState error={error} retry={() => void refetch()} />
    </>
  );
}

function LoadedRun({ run }: { readonly run: RunDetail }) {
  const events = useRunEvents(run);
  return (
    <div className={classes.page}>
      <PageHeader title={`Run of ${run.agent_name}`} beside={<RunBadges run={run} />}>
        <RunActions run={run} />
      </PageHeader>
      <Stack gap="md">
        <RunAlerts run={run} events={events.events} />
        <RunFacts run={run} events={events} />
        <RunTabs run={run} events={events} />
      </Stack>
    </div>
  );
}

function UnknownRun({ id }: { readonly id: string }) {
  return (
    <>
      <PageHeader title="Run" />
      <MissingState icon={IconArchiveOff} title="Run not found" list="/runs">
        The id {id} may be mistyped, or the run was deleted because of its age.
      </MissingState>
    </>
  );
}

/** The placeholder while a run is loading. */
function RunSkeleton() {
  return (
    <Stack gap="md" role="status">
      <VisuallyHidden>Loading run</VisuallyHidden>
      <Group justify="space-between">
        <Skeleton height={32} width={260} maw="60%" />
        <Skeleton height={30} width={110} />
      </Group>
      <Paper withBorder p="md">
        <Group gap="xl">
          {["a", "b", "c", "d", "e"].map((each) => (
            <Stack key={each} gap={6}>
              <Skeleton height={10} width={60} />
              <Skeleton height={14} width={110} />
            </Stack>
          ))}
        </Group>
      </Paper>
      <Paper withBorder p="md">
        <Stack gap="sm">
          {[30, 45, 80, 60, 25].map((width) => (
            <Skeleton key={width} height={14} width={`${width}%`} />
          ))}
        </Stack>
      </Paper>
    </Stack>
  );
}
