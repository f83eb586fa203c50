import { Badge, Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconActivity, IconFilterOff, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useMemo } from "react";
import { EmptyState } from "../components/empty-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { EventFilterBar } from "./event-filter-bar.tsx";
import {
  type EventFilters,
  eventFilter,
  filtersFromSearch,
  isFiltered,
  searchFromFilters,
} from "./event-filters.ts";
import { EventList } from "./event-list.tsx";
import { MAX_EVENTS } from "./event-log.ts";
import classes from "./events-page.module.css";
import { useEventLog } from "./use-event-log.ts";

/** All events, live. */
export function EventsPage() {
  const search = useSearch({ from: "/live" });
  const navigate = useNavigate({ from: "/live" });
  const filters = useMemo(() => filtersFromSearch(search), [search]);
  const { log, view, agentOf, isReading, error, reload } = useEventLog();
  // Filtering must not delay typing.
  const deferredFilters = useDeferredValue(filters);
  const events = useMemo(
    () => view.events.filter(eventFilter(deferredFilters, agentOf)),
    [view.events, deferredFilters, agentOf],
  );
  const change = (next: Partial<EventFilters>) =>
    void navigate({ search: searchFromFilters({ ...filters, ...next }), replace: true });
  return (
    <div className={classes.page}>
      <PageHeader title="Live">
        <Text size="sm" c="dimmed" role="status">
          {isFiltered(filters)
            ? `${events.length.toLocaleString()} of ${view.events.length.toLocaleString()} events`
            : `${view.events.length.toLocaleString()} events`}
          {view.isTruncated && `, the latest ${MAX_EVENTS.toLocaleString()} are kept`}
        </Text>
        {view.isPaused && (
          <Badge variant="light" color="yellow" radius="sm" tt="none" role="status">
            {view.pendingCount.toLocaleString()} new while paused
          </Badge>
        )}
        <Button
          size="xs"
          variant={view.isPaused ? "filled" : "default"}
          leftSection={
            view.isPaused ? (
              <IconPlayerPlay size={14} aria-hidden />
            ) : (
              <IconPlayerPause size={14} aria-hidden />
            )
          }
          onClick={() => (view.isPaused ? log.resume() : log.pause())}
        >
          {view.isPaused ? "Resume" : "Pause"}
        </Button>
      </PageHeader>
      <EventFilterBar filters={filters} onChange={change} />
      {error !== undefined && <ProblemState error={error} retry={reload} />}
      {isReading && view.events.length === 0 ? (
        <Stack gap={6} role="status" aria-label="Loading">
          {Array.from({ length: 10 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
            <Skeleton key={index} h={26} />
          ))}
        </Stack>
      ) : events.length === 0 ? (
        <NoEvents filters={filters} onClear={() => change(filtersFromSearch({}))} />
      ) : (
        <EventList events={events} agentOf={agentOf} />
      )}
    </div>
  );
}

function NoEvents({ filters, onClear }: { readonly filters: EventFilters; readonly onClear: () => void }) {
  if (!isFiltered(filters)) {
    return (
      <EmptyState icon={IconActivity} title="No events yet">
        Events of runs, hooks and approvals appear here as they happen.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconFilterOff} title="No matching events">
      <Group justify="center">
        <Button variant="default" size="xs" onClick={onClear}>
          Clear filters
        </Button>
      </Group>
    </EmptyState>
  );
}
