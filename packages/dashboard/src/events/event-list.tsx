import { Button } from "@mantine/core";
import { IconArrowDown } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { isKnownEvent, type RunEvent } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { useIsNarrow } from "../components/use-is-narrow.ts";
import { useRunnerName } from "../components/use-runner-name.ts";
import { useToggles } from "../components/use-toggles.ts";
import classes from "./event-list.module.css";
import { EventRow } from "./event-row.tsx";
import { useFollowing } from "./use-following.ts";

/** The estimated height of a row: one line, or two on a narrow screen. */
const ROW_PX = 33;
const NARROW_ROW_PX = 55;
/** Rows rendered beyond the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 12;

interface Props {
  readonly events: readonly RunEvent[];
  readonly agentOf: (runId: string) => string | undefined;
}

/** The agent that an edit is about. One that was deleted has no page. */
function editedAgent(event: RunEvent): string | undefined {
  return isKnownEvent(event) && event.event_type === "agent_saved" ? event.agent_name : undefined;
}

/** Events, newest at the bottom. The list follows new events until the user scrolls up. Only visible rows are rendered. */
export function EventList({ events, agentOf }: Props) {
  const [opened, toggle] = useToggles();
  const runnerName = useRunnerName();
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const isNarrow = useIsNarrow();
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller,
    estimateSize: () => (isNarrow ? NARROW_ROW_PX : ROW_PX),
    getItemKey: (index) => events[index]?.id ?? index,
    overscan: OVERSCAN,
  });
  const { isFollowing, jump } = useFollowing(rows, events, scroller);
  return (
    <div className={classes.frame}>
      <div
        className={classes.scroller}
        ref={setScroller}
        role="log"
        aria-label="Events"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
      >
        <div className={classes.rows} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const event = events[index];
            if (event === undefined) return null;
            return (
              <div
                key={key}
                className={classes.row}
                data-index={index}
                ref={rows.measureElement}
                style={{ transform: `translateY(${start}px)` }}
              >
                <EventRow
                  event={event}
                  agent={event.run_id === null ? editedAgent(event) : agentOf(event.run_id)}
                  runnerName={runnerName}
                  isOpen={opened.has(event.id)}
                  onToggle={toggle}
                />
              </div>
            );
          })}
        </div>
      </div>
      {!isFollowing && (
        <Button
          className={classes.jump}
          size="xs"
          radius="xl"
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={jump}
        >
          Jump to newest
        </Button>
      )}
    </div>
  );
}
