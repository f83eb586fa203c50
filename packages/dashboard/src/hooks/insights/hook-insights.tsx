import { Alert, Group, SimpleGrid, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  type InsightRange,
  type Insights,
  type RunHookDefinition,
  readHookKey,
} from "@tenterhook/protocol/runs";
import type { ReactNode } from "react";
import { ProblemState } from "../../components/problem-state.tsx";
import { ChartPanel } from "../../insights/chart-panel.tsx";
import { decisionsOverTime } from "../../insights/decisions-chart.ts";
import { RANGES } from "../../insights/insight-range.ts";
import { insightsQuery } from "../../insights/insights-query.ts";
import { PeriodNote } from "../../insights/period-note.tsx";
import { RangeSelector } from "../../insights/range-selector.tsx";
import { InsightsProvider } from "../../insights/shown-insights.ts";
import { StaleNote } from "../../insights/stale-note.tsx";
import { useLoadedRange } from "../../insights/use-loaded-range.ts";
import { NotEnforcedNotice } from "../not-enforced.tsx";
import { decisionsByAgent, decisionsByTool } from "./decisions-by.ts";
import { findTrial } from "./find-trial.ts";
import { readHookFacts } from "./hook-facts.ts";
import { HookNumbers } from "./hook-numbers.tsx";
import { describeHook } from "./hook-sentences.ts";
import { ReasonList } from "./reason-list.tsx";
import { WouldHaveNumbers } from "./would-have-numbers.tsx";

interface Props {
  /** The key of the hook. */
  readonly hook: string;
  /** Null for a hook on a runner, and for one that was deleted. */
  readonly definition: RunHookDefinition | null;
  /** How a hook that is not enforced is: a button, or a command. */
  readonly enforcing: ReactNode;
  readonly range: InsightRange;
  readonly onRange: (range: InsightRange) => void;
}

/** How often a hook was called, what it decided and why, what it cost, and what to know about it. */
export function HookInsights({ hook, definition, enforcing, range, onRange }: Props) {
  const { data, error, failureReason, refetch, isPlaceholderData } = useQuery(
    insightsQuery({ range, hook_key: hook }),
  );
  const loadedRange = useLoadedRange(range, isPlaceholderData);
  return (
    <Stack gap="md" component="section" aria-label="Insights" mb="lg">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          What it decided
        </Title>
        <RangeSelector value={range} onChange={onRange} />
      </Group>
      {data !== undefined ? (
        <InsightsProvider value={data}>
          <StaleNote error={error ?? failureReason} />
          <Loaded
            insights={data}
            hook={hook}
            definition={definition}
            enforcing={enforcing}
            range={loadedRange}
          />
        </InsightsProvider>
      ) : error === null ? (
        <Skeleton h={320} role="status" aria-label="Loading" />
      ) : (
        <ProblemState error={error} retry={() => void refetch()} />
      )}
    </Stack>
  );
}

interface LoadedProps extends Omit<Props, "onRange"> {
  readonly insights: Insights;
}

function Loaded({ insights, hook, definition, enforcing, range }: LoadedProps) {
  const source = readHookKey(hook)?.source ?? "runner";
  const period = `in the ${RANGES[range].label.toLowerCase()}`;
  const hasTools = insights.decisions_by_tool.some(({ tool }) => tool !== "");
  const trial = source === "runner" ? findTrial(insights) : undefined;
  const isTried = definition?.enforce === false || trial !== undefined;
  return (
    <>
      {isTried && (
        <NotEnforcedNotice enforcing={enforcing}>
          <WouldHaveNumbers insights={insights} hook={hook} period={period} />
          {trial?.wasCalledSince === true && (
            <Text size="sm">
              It last would have acted at {trial.last}. Later calls passed or failed, which does not tell
              whether it is enforced meanwhile.
            </Text>
          )}
        </NotEnforcedNotice>
      )}
      {describeHook(readHookFacts(insights), source, period).map(({ about, title, text }) => (
        <Alert
          role="note"
          key={about}
          variant="outline"
          color={about === "failing" ? "red" : about === "slow" ? "yellow" : "gray"}
          title={title}
        >
          {text}
        </Alert>
      ))}
      <HookNumbers insights={insights} hook={hook} />
      <PeriodNote insights={insights} range={range} />
      <ChartPanel
        title="Decisions over time"
        data={decisionsOverTime(insights, { hook })}
        layout="over_time"
        head="Time"
        empty={`It was not called ${period}.`}
      />
      <SimpleGrid cols={{ base: 1, lg: hasTools && source !== "inline" ? 2 : 1 }}>
        {source !== "inline" && (
          <ChartPanel
            title="Decisions by agent"
            data={decisionsByAgent(insights, hook)}
            layout="by_category"
            head="Agent"
            empty="Agents appear here when it is called for them."
          />
        )}
        {hasTools && (
          <ChartPanel
            title="Decisions by tool"
            data={decisionsByTool(insights, hook)}
            layout="by_category"
            head="Tool"
            empty="Tools appear here when it is asked about them."
          />
        )}
      </SimpleGrid>
      <ReasonList insights={insights} hook={hook} />
    </>
  );
}
