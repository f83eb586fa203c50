import { SimpleGrid, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { InsightRange, Insights } from "@tenterhook/protocol/runs";
import { useMay } from "../access/identity.ts";
import { call } from "../api/call.ts";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { FirstRun } from "../demos/first-run.tsx";
import { readRange } from "../insights/insight-range.ts";
import { insightsQuery } from "../insights/insights-query.ts";
import { PeriodNote } from "../insights/period-note.tsx";
import { RangeSelector } from "../insights/range-selector.tsx";
import { InsightsProvider } from "../insights/shown-insights.ts";
import { StaleNote } from "../insights/stale-note.tsx";
import { useLoadedRange } from "../insights/use-loaded-range.ts";
import { AgentTimes } from "./agent-times.tsx";
import { DecisionsPanel } from "./decisions-panel.tsx";
import { NeedsYou } from "./needs-you.tsx";
import { RunnersPanel } from "./runners-panel.tsx";
import { RunsPanel } from "./runs-panel.tsx";
import { UsagePanels } from "./usage-panels.tsx";

/** What needs a person now, and what happened in a period compared with the one before. */
export function OverviewPage() {
  const range = readRange(useSearch({ from: "/overview" }).range);
  const navigate = useNavigate({ from: "/overview" });
  const { data, error, failureReason, refetch, isPlaceholderData } = useQuery(insightsQuery({ range }));
  const loadedRange = useLoadedRange(range, isPlaceholderData);
  const isNew = useIsNew(data);
  const mayRun = useMay("run");
  if (isNew) {
    const start = () => void navigate({ to: "/runs", search: { start: "-" } });
    return (
      <>
        <PageHeader title="Overview" />
        <FirstRun onStart={mayRun ? start : undefined} />
      </>
    );
  }
  return (
    <>
      <PageHeader title="Overview">
        <RangeSelector
          value={range}
          onChange={(chosen) =>
            void navigate({ search: (before) => ({ ...before, range: chosen }), replace: true })
          }
        />
      </PageHeader>
      <Stack gap="lg">
        {data !== undefined && <StaleNote error={error ?? failureReason} />}
        <NeedsYou />
        {data === undefined ? (
          error === null ? (
            <Skeleton h={480} role="status" aria-label="Loading" />
          ) : (
            <ProblemState error={error} retry={() => void refetch()} />
          )
        ) : (
          <InsightsProvider value={data}>
            <Period insights={data} range={loadedRange} />
          </InsightsProvider>
        )}
      </Stack>
    </>
  );
}

function Period({ insights, range }: { readonly insights: Insights; readonly range: InsightRange }) {
  return (
    <Stack gap="md">
      <div>
        <PeriodNote insights={insights} range={range} />
      </div>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <RunsPanel insights={insights} />
        <DecisionsPanel insights={insights} />
      </SimpleGrid>
      <AgentTimes insights={insights} />
      <UsagePanels insights={insights} />
      <RunnersPanel insights={insights} />
    </Stack>
  );
}

/** How often a coordinator without runs is asked for its first one. */
const FIRST_RUN_MS = 5_000;

/** Whether there was never a run: then the page begins with the demos. */
function useIsNew(insights: Insights | undefined): boolean {
  const created = insights && insights.current.runs.created + insights.previous.runs.created;
  const { data } = useQuery({
    queryKey: ["runs", "first"],
    queryFn: ({ signal }) => call("GET /runs", { query: { limit: 1 }, signal }),
    enabled: created === 0,
    refetchInterval: FIRST_RUN_MS,
  });
  return created === 0 && data?.runs.length === 0;
}
