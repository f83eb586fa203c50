import { Paper } from "@mantine/core";
import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import { useCallback, useMemo, useState } from "react";
import { useNow } from "../../components/clock.ts";
import { useToggles } from "../../components/use-toggles.ts";
import { useRunsWithEvents } from "../events/use-runs-with-events.ts";
import { VirtualRows } from "../virtual-rows.tsx";
import { isUnfolded } from "./child-run.ts";
import { RowPanel } from "./row-panel.tsx";
import { runTimeline } from "./run-timeline.ts";
import { readableTicks, type Tick } from "./time-scale.ts";
import classes from "./timeline.module.css";
import { TimelineHead } from "./timeline-head.tsx";
import { TimelineRowView } from "./timeline-row-view.tsx";
import { useZoom } from "./use-zoom.ts";
import { type Selection, useZoomGestures } from "./use-zoom-gestures.ts";
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
  const [openedId, setOpenedId] = useState<string>();
  const [folded, toggleFolded] = useToggles();
  const rows = useMemo(() => visibleRows(timeline.rows, folded), [timeline, folded]);

  // The local clock may be behind the coordinator's; known times must stay visible.
  const now = Math.max(clock, timeline.to);
  const zoom = useZoom(timeline, now);
  const { selection, area } = useZoomGestures(zoom);
  const { scale } = zoom;
  const ticks = readableTicks(scale, timeline.from);
  const opened = openedId === undefined ? undefined : timeline.rows.find(({ id }) => id === openedId);
  const open = useCallback((id: string) => setOpenedId((before) => (before === id ? undefined : id)), []);
  const close = () => {
    const row = area.ref.current?.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(openedId ?? "")}"]`);
    setOpenedId(undefined);
    // The row may be scrolled away, and so not rendered.
    (row ?? area.ref.current?.querySelector<HTMLElement>("section"))?.focus();
  };
  return (
    <div className={classes.layout} data-opened={opened !== undefined || undefined}>
      <Paper withBorder component="section" aria-labelledby="timeline-title" className={classes.paper}>
        <TimelineHead zoom={zoom} />
        {/* The keys and the pointer only change what is visible; buttons do the same. */}
        <div {...area}>
          <VirtualRows
            items={rows}
            keyOf={({ id }) => id}
            label="Timeline rows"
            estimate={30}
            header={<TimeAxis ticks={ticks} />}
            backdrop={<TimeLines ticks={ticks} selection={selection} />}
          >
            {(row) => (
              <TimelineRowView
                row={row}
                origin={timeline.from}
                scale={scale}
                // Ended rows are not rendered again when the clock ticks.
                now={row.to === null ? now : 0}
                isOpened={openedId === row.id}
                isFolded={folded.has(row.id)}
                open={open}
                toggleFolded={toggleFolded}
                isUnfolded={isUnfolded(row, unfolded)}
                toggleUnfolded={toggleUnfolded}
              />
            )}
          </VirtualRows>
        </div>
      </Paper>
      {opened !== undefined && (
        <RowPanel
          run={run}
          timeline={timeline}
          row={opened}
          now={now}
          zoom={() => zoom.show(opened)}
          close={close}
        />
      )}
    </div>
  );
}

/** The time axis, relative to the creation of the run. */
function TimeAxis({ ticks }: { readonly ticks: readonly Tick[] }) {
  return (
    <div className={classes.axis} aria-hidden>
      <div className={classes.track} data-scale>
        {ticks.map(({ left, text }) => (
          <span
            key={left}
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

interface LinesProps {
  readonly ticks: readonly Tick[];
  readonly selection: Selection | undefined;
}

/** The grid lines behind the bars, and the period that is being selected. */
function TimeLines({ ticks, selection }: LinesProps) {
  return (
    <div className={classes.lines} aria-hidden>
      <div className={classes.track}>
        {ticks.map(({ left }) => (
          <span key={left} className={classes.line} style={{ left: `${left}%` }} />
        ))}
        {selection !== undefined && <Selected {...selection} />}
      </div>
    </div>
  );
}

function Selected({ from, to }: Selection) {
  const [left, right] = [Math.max(0, Math.min(from, to)), Math.min(1, Math.max(from, to))];
  return (
    <span
      className={classes.selection}
      data-selection
      style={{ left: `${left * 100}%`, width: `${Math.max(0, right - left) * 100}%` }}
    />
  );
}
