import { Button, Group, Text } from "@mantine/core";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { countText } from "../../components/count-text.ts";
import { formatCount } from "../../components/format-count.ts";
import { ProblemState } from "../../components/problem-state.tsx";
import type { RunEvents } from "./use-run-events.ts";

/** Shown when not all events are loaded: after an error, while loading, or when there are very many. */
export function EventsNotice({ run, events }: { readonly run: RunDetail; readonly events: RunEvents }) {
  const { error, retry, readMore, isReading, events: known } = events;
  if (error !== null) return <ProblemState error={error} retry={retry} />;
  const count = `${formatCount(known.length)} of ${countText(run.event_count, "event")}`;
  if (readMore !== undefined) {
    return (
      <Group gap="sm">
        <Text size="sm">Showing the first {count}.</Text>
        <Button size="compact-sm" variant="default" onClick={readMore}>
          Load more
        </Button>
      </Group>
    );
  }
  if (isReading && known.length < run.event_count - 200) {
    return (
      <Text size="sm" role="status">
        Loading: {count}
      </Text>
    );
  }
  return null;
}
