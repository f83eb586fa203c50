import { Button, Group, Text } from "@mantine/core";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { ProblemState } from "../../parts/problem-state.tsx";
import type { RunEvents } from "./use-run-events.ts";

/** Says when not all events are there: they could not be read, are still being read, or are very many. */
export function EventsNotice({ run, events }: { readonly run: RunDetail; readonly events: RunEvents }) {
  const { error, retry, readMore, isReading, events: known } = events;
  if (error !== null) return <ProblemState error={error} retry={retry} />;
  const count = `${known.length.toLocaleString("en")} of ${run.event_count.toLocaleString("en")} events`;
  if (readMore !== undefined) {
    return (
      <Group gap="sm">
        <Text size="sm">Only the first {count} have been read.</Text>
        <Button size="compact-sm" variant="default" onClick={readMore}>
          Read more
        </Button>
      </Group>
    );
  }
  if (isReading && known.length < run.event_count - 200) {
    return (
      <Text size="sm" role="status">
        Reading: {count}
      </Text>
    );
  }
  return null;
}
