import { Badge, Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconActivity, IconFilterOff, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useMemo } from "react";
import { EmptyState } from "../parts/empty-state.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { ProblemState } from "../parts/problem-state.tsx";
import { EventFilterBar } from "./event-filter-bar.tsx";
import {
  type EventFilters,
  eventFilter,
  filtersFromSearch,
  isFiltered,
  searchFromFilters,
} from "./event-filters.ts";
import { EventList } from "./event-list.tsx";
import { MOST_KEPT } from "./event-log.ts";
import classes from "./events-page.module.css";
import { useEventLog } from "./use-event-log.ts";

/** Everything that happens, as it happens. */
export function EventsPage() {
  const search = useSearch({ from: "/live" });
  const navigate = useNavigate({ from: "/live" });
  const filters = useMemo(() => filtersFromSearch(search), [search]);
  const { log, view, agentOf, isReading, error, readAgain } = useEventLog();
  // Typing comes before filtering.
  const calm = useDeferredValue(filters);
  const events = useMemo(() => view.events.filter(eventFilter(calm, agentOf)), [view.events, calm, agentOf]);
  const change = (next: Partial<EventFilters>) =>
    void navigate({ search: searchFromFilters({ ...filters, ...next }), replace: true });
  return (
    <div className={classes.page}>
      <PageHeader title="Live">
        <Text size="sm" c="dimmed" role="status">
          {isFiltered(filters)
            ? `${events.length.toLocaleString()} of ${view.events.length.toLocaleString()} events`
            : `${view.events.length.toLocaleString()} events`}
          {view.isCut && `, the latest ${MOST_KEPT.toLocaleString()} are kept`}
        </Text>
        {view.isPaused && (
          <Badge variant="light" color="yellow" radius="sm" tt="none" role="status">
            {view.heldBack.toLocaleString()} new while paused
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
          {view.isPaused ? "Go on" : "Pause"}
        </Button>
      </PageHeader>
      <EventFilterBar filters={filters} onChange={change} />
      {error !== undefined && <ProblemState error={error} retry={readAgain} />}
      {isReading && view.events.length === 0 ? (
        <Stack gap={6} role="status" aria-label="Loading">
          {Array.from({ length: 10 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
            <Skeleton key={index} h={26} />
          ))}
        </Stack>
      ) : events.length === 0 ? (
        <Nothing filters={filters} onClear={() => change(filtersFromSearch({}))} />
      ) : (
        <EventList events={events} agentOf={agentOf} />
      )}
    </div>
  );
}

function Nothing({ filters, onClear }: { readonly filters: EventFilters; readonly onClear: () => void }) {
  if (!isFiltered(filters)) {
    return (
      <EmptyState icon={IconActivity} title="Nothing has happened yet">
        Whatever runs, hooks and people do is told here the moment it happens.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconFilterOff} title="Nothing like that has happened">
      <Group justify="center">
        <Button variant="default" size="xs" onClick={onClear}>
          Show everything
        </Button>
      </Group>
    </EmptyState>
  );
}
