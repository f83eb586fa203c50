import { Badge, Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconActivity, IconFilterOff, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useState } from "react";
import { countText } from "../components/count-text.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { formatCount } from "../components/format-count.ts";
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
import { FilteredEvents } from "./filtered-events.ts";
import { useEventLog } from "./use-event-log.ts";

const noAgent = () => undefined;

/** All events, live. */
export function EventsPage() {
  const search = useSearch({ from: "/live" });
  const navigate = useNavigate({ from: "/live" });
  const filters = useMemo(() => filtersFromSearch(search), [search]);
  const { log, view, agentOf, isReading, error, reload } = useEventLog();
  // Filtering must not delay typing.
  const deferredFilters = useDeferredValue(filters);
  // Only a filter by agent has other results when more agents are known.
  const agentsInFilter = deferredFilters.agent === "" ? noAgent : agentOf;
  const matches = useMemo(
    () => (isFiltered(deferredFilters) ? eventFilter(deferredFilters, agentsInFilter) : undefined),
    [deferredFilters, agentsInFilter],
  );
  const [filtered] = useState(() => new FilteredEvents());
  const events = useMemo(
    () => (matches === undefined ? view.events : filtered.apply(view, matches)),
    [filtered, view, matches],
  );
  const change = (next: Partial<EventFilters>) =>
    void navigate({ search: searchFromFilters({ ...filters, ...next }), replace: true });
  return (
    <div className={classes.page}>
      <PageHeader title="Live">
        <Text size="sm" c="dimmed" role="status">
          {isFiltered(filters)
            ? `${formatCount(events.length)} of ${countText(view.events.length, "event")}`
            : countText(view.events.length, "event")}
          {view.dropped > 0 && `, the latest ${formatCount(MAX_EVENTS)} are kept`}
        </Text>
        {view.isPaused && (
          <Badge variant="light" color="yellow" radius="sm" tt="none" role="status">
            {formatCount(view.pendingCount)} new while paused
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
