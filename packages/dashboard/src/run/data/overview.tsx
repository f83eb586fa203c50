import { SimpleGrid, Stack } from "@mantine/core";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { EventsNotice } from "../events/events-notice.tsx";
import type { RunEvents } from "../events/use-run-events.ts";
import { TimelineView } from "../timeline/timeline-view.tsx";
import { ParametersPanel } from "./parameters-panel.tsx";
import { ResultPanel } from "./result-panel.tsx";

/** The timeline, the parameters and the result of a run. */
export function Overview({ run, events }: { readonly run: RunDetail; readonly events: RunEvents }) {
  return (
    <Stack gap="md">
      <TimelineView run={run} events={events.events} />
      <EventsNotice run={run} events={events} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <ResultPanel run={run} events={events.events} />
        <ParametersPanel run={run} />
      </SimpleGrid>
    </Stack>
  );
}
