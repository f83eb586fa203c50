import { Card, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { queries } from "../api/queries.ts";
import { ProblemState } from "../components/problem-state.tsx";
import { insightsQuery } from "../insights/insights-query.ts";
import { FailingHooks, LostRunners, PendingApprovals, RunsThatWait } from "./attention-groups.tsx";
import { findFailingHooks } from "./failing-hooks.ts";
import { findLostRunners } from "./lost-runners.ts";
import { waitingRunsQuery } from "./waiting-runs.ts";

/** What needs a person now; or that nothing does, once all of it was read. */
export function NeedsYou() {
  const id = useId();
  const approvals = useInfiniteQuery(queries.approvals({ state: "pending" }));
  const lastDay = useQuery(insightsQuery({ range: "day" }));
  const waiting = useQuery(waitingRunsQuery());
  const runners = useQuery(queries.runners());
  const all = [approvals, lastDay, waiting, runners];
  const failed = all.find(({ error, data }) => error !== null && data === undefined);
  const isRead = all.every(({ data }) => data !== undefined);

  const pending = approvals.data?.pages.flatMap((page) => page.approvals) ?? [];
  const failing = lastDay.data === undefined ? [] : findFailingHooks(lastDay.data);
  const lost = findLostRunners(runners.data ?? [], Date.now());
  const waits = waiting.data?.count ?? 0;
  return (
    <Card withBorder padding="md" bg="var(--mantine-color-body)" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h5" id={id}>
          Needs you now
        </Title>
        {failed !== undefined && <ProblemState error={failed.error} retry={() => void failed.refetch()} />}
        {!isRead && failed === undefined && <Skeleton h={24} role="status" aria-label="Loading" />}
        {isRead && pending.length + failing.length + lost.length + waits === 0 && <Nothing />}
        {pending.length > 0 && <PendingApprovals approvals={pending} isMore={approvals.hasNextPage} />}
        {failing.length > 0 && lastDay.data !== undefined && (
          <FailingHooks hooks={failing} period={lastDay.data} />
        )}
        {waiting.data !== undefined && waits > 0 && <RunsThatWait waiting={waiting.data} />}
        {lost.length > 0 && <LostRunners runners={lost} />}
      </Stack>
    </Card>
  );
}

function Nothing() {
  return (
    <Group gap="sm" wrap="nowrap">
      <IconCheck size={18} aria-hidden />
      <Text size="sm">
        Nothing needs you: no approval waits, no hook failed in the last day, no run waits, no runner is lost.
      </Text>
    </Group>
  );
}
