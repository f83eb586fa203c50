import { ActionIcon, Tooltip, UnstyledButton } from "@mantine/core";
import {
  IconBrain,
  IconChevronDown,
  IconChevronRight,
  IconFishHook,
  IconHelpCircle,
  IconInfoCircle,
  IconTimeline,
  IconTool,
} from "@tabler/icons-react";
import { memo } from "react";
import { durationText } from "../../components/durations.ts";
import { childRunOf } from "./child-run.ts";
import { exactTimes } from "./exact-times.ts";
import { STATE_LABELS } from "./state-labels.ts";
import { positionOf, type TimeScale } from "./time-scale.ts";
import classes from "./timeline.module.css";
import type { RowDetail, TimelineRow } from "./timeline-row.ts";
import { isWaiting } from "./work-period.ts";

const ICONS: Readonly<Record<RowDetail["type"], typeof IconTool>> = {
  phase: IconTimeline,
  step: IconBrain,
  tool: IconTool,
  hook: IconFishHook,
  act: IconFishHook,
  approval: IconHelpCircle,
  note: IconInfoCircle,
};

interface Props {
  readonly row: TimelineRow;
  readonly origin: number;
  readonly scale: TimeScale;
  readonly now: number;
  readonly isOpened: boolean;
  readonly isFolded: boolean;
  readonly open: (id: string) => void;
  readonly toggleFolded: (id: string) => void;
  /** Whether the run of a hook is shown below its row; undefined for rows without one. */
  readonly isUnfolded: boolean | undefined;
  readonly toggleUnfolded: (runId: string) => void;
}

/** A row of the timeline; a click shows its details beside the timeline. */
export const TimelineRowView = memo(function TimelineRowView(props: Props) {
  const { row, origin, scale, now, isOpened, isFolded, open, toggleFolded } = props;
  const { isUnfolded } = props;
  const childRun = childRunOf(row);
  const { id, depth, label, about, childCount, state, from } = row;
  const to = row.to ?? Math.max(now, from);
  const { label: stateLabel, icon: StateIcon } = STATE_LABELS[state];
  const KindIcon = ICONS[row.detail.type];
  return (
    <div
      className={classes.item}
      data-state={state}
      data-opened={isOpened || undefined}
      data-idle={isWaiting(row) || undefined}
      style={{ "--depth": depth }}
    >
      <Tooltip
        label={exactTimes(row, to, origin)}
        multiline
        maw={360}
        openDelay={250}
        position="top-start"
        // Inside the main landmark, where screen readers expect it.
        portalProps={{ target: "#content" }}
        events={{ hover: true, focus: true, touch: false }}
      >
        <UnstyledButton
          className={classes.row}
          aria-expanded={isOpened}
          data-row
          data-row-id={id}
          onClick={() => open(id)}
        >
          <span className={classes.label}>
            <KindIcon size={15} aria-hidden className={classes.kind} />
            <span className={classes.name}>{label}</span>{" "}
            {about !== undefined && <span className={classes.about}>{about}</span>}
          </span>{" "}
          <span className={classes.track} aria-hidden>
            <Bar scale={scale} from={from} started={row.started} to={to} isOpen={row.to === null} />
          </span>
          <span className={classes.time}>
            <span className={classes.word} data-quiet={state === "done" || undefined}>
              {stateLabel}
            </span>{" "}
            <span className={classes.duration}>{durationText(to - from)}</span>
            <StateIcon size={16} aria-hidden className={classes.state} />
          </span>
        </UnstyledButton>
      </Tooltip>
      {isUnfolded !== undefined && childRun !== undefined && (
        <ActionIcon
          className={classes.fold}
          variant="subtle"
          color="gray"
          size={22}
          aria-expanded={isUnfolded}
          aria-label={isUnfolded ? `Hide the run of ${label}` : `Show the run of ${label}`}
          onClick={() => props.toggleUnfolded(childRun)}
        >
          {isUnfolded ? (
            <IconChevronDown size={14} aria-hidden />
          ) : (
            <IconChevronRight size={14} aria-hidden />
          )}
        </ActionIcon>
      )}
      {isUnfolded === undefined && childCount > 0 && (
        <ActionIcon
          className={classes.fold}
          variant="subtle"
          color="gray"
          size={22}
          aria-expanded={!isFolded}
          aria-label={isFolded ? `Expand ${label}` : `Collapse ${label}`}
          onClick={() => toggleFolded(id)}
        >
          {isFolded ? <IconChevronRight size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
        </ActionIcon>
      )}
    </div>
  );
});

interface BarProps {
  readonly scale: TimeScale;
  readonly from: number;
  readonly started: number | undefined;
  readonly to: number;
  readonly isOpen: boolean;
}

/** The time of waiting is drawn fainter than the time of work. */
function Bar({ scale, from, started, to, isOpen }: BarProps) {
  const whole = positionOf(scale, { from, to });
  // A mark shows in which direction it is.
  if (whole === undefined) return <span className={classes.beyond}>{to < scale.from ? "‹" : "›"}</span>;
  const work =
    started === undefined || started <= from
      ? undefined
      : positionOf(scale, { from: Math.min(started, to), to });
  return (
    <>
      <span
        className={classes.bar}
        data-bar
        data-faint={work !== undefined || undefined}
        data-open={isOpen || undefined}
        style={{ "--left": `${whole.left}%`, "--width": `${whole.width}%` }}
      />
      {work !== undefined && (
        <span
          className={classes.bar}
          data-open={isOpen || undefined}
          style={{ "--left": `${work.left}%`, "--width": `${work.width}%` }}
        />
      )}
    </>
  );
}
