import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { IconZoomReset } from "@tabler/icons-react";
import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import { useMemo, useState } from "react";
import { useNow } from "../../components/clock.ts";
import { durationText } from "../../components/durations.ts";
import { useToggles } from "../../components/use-toggles.ts";
import { useRunsWithEvents } from "../events/use-runs-with-events.ts";
import { VirtualRows } from "../virtual-rows.tsx";
import { isUnfolded } from "./child-run.ts";
import { runTimeline } from "./run-timeline.ts";
import { type Tick, ticksOf } from "./time-scale.ts";
import classes from "./timeline.module.css";
import { TimelineRowView } from "./timeline-row-view.tsx";

import { visibleRows } from "./visible-rows.ts";

interface Props {
  readonly run: RunDetail;
  readonly events: readonly RunEvent[];
}

/** The timeline of a run, drawn to scale and updated while the run lasts. */
export function TimelineView({ run, events }: Props) {
  const [unfolded, toggleUnfolded] = useToggles();
  const children = useRunsWithEvents([...unfolded]);
  const timeline = useMemo(() => runTimeline(run, events, children), [run, events, children]);
  const clock = useNow(timeline.isOpen);
  const [opened, toggleOpened] = useToggles();
  const [folded, toggleFolded] = useToggles();
  const [zoomed, setZoomed] = useState<string>();
  const rows = useMemo(() => visibleRows(timeline.rows, folded), [timeline, folded]);

  // The local clock may be behind the coordinator's; known times must stay visible.
  const now = Math.max(clock, timeline.to);
  const focus = zoomed === undefined ? undefined : timeline.rows.find(({ id }) => id === zoomed);
  const scale = {
    from: focus?.from ?? timeline.from,
    to: focus === undefined ? (timeline.isOpen ? now : timeline.to) : (focus.to ?? now),
  };
  const ticks = ticksOf(scale, timeline.from);
  return (
    <Paper withBorder component="section" aria-labelledby="timeline-title" className={classes.paper}>
      <Group justify="space-between" px="md" py={10} gap="xs" wrap="nowrap">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <Title order={2} size="h5" id="timeline-title">
            Timeline
          </Title>
          <Text size="sm" className={classes.quiet} truncate>
            {focus === undefined ? `${durationText(scale.to - scale.from)} total` : `${focus.label} only`}
          </Text>
        </Group>
        {focus !== undefined && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconZoomReset size={14} aria-hidden />}
            onClick={() => setZoomed(undefined)}
          >
            Show whole run
          </Button>
        )}
      </Group>
      <VirtualRows
        items={rows}
        keyOf={({ id }) => id}
        label="Timeline rows"
        estimate={30}
        header={<TimeAxis ticks={ticks} />}
        backdrop={<TimeLines ticks={ticks} />}
      >
        {(row) => (
          <TimelineRowView
            row={row}
            origin={timeline.from}
            scale={scale}
            // Ended rows are not rendered again when the clock ticks.
            now={row.to === null ? now : 0}
            isOpened={opened.has(row.id)}
            isFolded={folded.has(row.id)}
            toggleOpened={toggleOpened}
            toggleFolded={toggleFolded}
            isUnfolded={isUnfolded(row, unfolded)}
            toggleUnfolded={toggleUnfolded}
            zoom={setZoomed}
          />
        )}
      </VirtualRows>
    </Paper>
  );
}

/** The time axis, relative to the creation of the run. */
function TimeAxis({ ticks }: { readonly ticks: readonly Tick[] }) {
  return (
    <div className={classes.axis} aria-hidden>
      <div className={classes.track}>
        {ticks.map(({ left, text }) => (
          <span
            key={text}
            className={classes.tick}
            data-end={left > 92 || undefined}
            style={{ left: `${left}%` }}
          >
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The grid lines behind the bars. */
function TimeLines({ ticks }: { readonly ticks: readonly Tick[] }) {
  return (
    <div className={classes.lines} aria-hidden>
      <div className={classes.track}>
        {ticks.map(({ left, text }) => (
          <span key={text} className={classes.line} style={{ left: `${left}%` }} />
        ))}
      </div>
    </div>
  );
}
