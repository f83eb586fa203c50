import { Button, Group, MultiSelect, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { IconListSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import { useMemo } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { countText } from "../../components/count-text.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { formatCount } from "../../components/format-count.ts";
import { useToggles } from "../../components/use-toggles.ts";
import { VirtualRows } from "../virtual-rows.tsx";
import { EventRow } from "./event-row.tsx";
import { EventsNotice } from "./events-notice.tsx";
import type { RunEvents } from "./use-run-events.ts";

interface Props {
  readonly run: RunDetail;
  readonly events: RunEvents;
}

/** All events of a run in order, filtered by type. */
export function EventsPanel({ run, events }: Props) {
  const [types, setTypes] = useTypes();
  const [opened, toggle] = useToggles();
  const shown = useMemo(() => filtered(events.events, types), [events.events, types]);
  if (events.isLoading) return <Loading />;
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-end">
        <MultiSelect
          label="Types"
          placeholder={types.length === 0 ? "All" : undefined}
          data={listTypes(events.events)}
          value={[...types]}
          onChange={setTypes}
          searchable
          nothingFoundMessage="No matching types"
          size="xs"
          w={{ base: "100%", xs: 340 }}
        />
        {types.length > 0 && (
          <Button size="xs" variant="default" onClick={() => setTypes([])}>
            All types
          </Button>
        )}
        <CopyButton
          label="Copy as JSON"
          text={() => JSON.stringify(shown, undefined, 2)}
          disabled={shown.length === 0}
        />
        <Text size="sm" role="status">
          {eventsText(shown.length, events.events.length)}
        </Text>
      </Group>
      <EventsNotice run={run} events={events} />
      {shown.length === 0 ? (
        <EmptyState icon={IconListSearch} title="No events">
          {events.events.length === 0
            ? "Events are kept for a limited time; those of this run were deleted."
            : "This run has no events of the selected types."}
        </EmptyState>
      ) : (
        <Paper withBorder style={{ overflow: "hidden" }}>
          <VirtualRows items={shown} keyOf={({ id }) => id} label="Events" estimate={30} sticksToEnd>
            {(event) => (
              <EventRow
                event={event}
                origin={run.created_at}
                isOpened={opened.has(event.id)}
                toggle={toggle}
              />
            )}
          </VirtualRows>
        </Paper>
      )}
    </Stack>
  );
}

/** The selected types are in the address, as `types=log,text`. */
function useTypes(): readonly [readonly string[], (types: string[]) => void] {
  const { types = "" } = useSearch({ from: "/runs/$id" });
  const navigate = useNavigate({ from: "/runs/$id" });
  const chosen = useMemo(() => types.split(",").filter((type) => type !== ""), [types]);
  const choose = (next: string[]) =>
    void navigate({
      search: (before) => ({ ...before, types: next.length === 0 ? undefined : next.join(",") }),
      replace: true,
      resetScroll: false,
    });
  return [chosen, choose];
}

function filtered(events: readonly RunEvent[], types: readonly string[]): readonly RunEvent[] {
  return types.length === 0 ? events : events.filter(({ event_type }) => types.includes(event_type));
}

function listTypes(events: readonly RunEvent[]): string[] {
  return [...new Set(events.map(({ event_type }) => event_type))].sort();
}

function eventsText(shown: number, all: number): string {
  const events = countText(all, "event");
  return shown === all ? events : `${formatCount(shown)} of ${events}`;
}

function Loading() {
  return (
    <Stack gap="xs" role="status" aria-label="Loading events">
      {[90, 70, 80, 60].map((width) => (
        <Skeleton key={width} height={18} width={`${width}%`} />
      ))}
    </Stack>
  );
}
