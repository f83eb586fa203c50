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
import { durationText } from "../../parts/durations.ts";
import { exactTimes } from "./exact-times.ts";
import { OUTCOME_WORDS } from "./outcome-words.ts";
import { RowDetails } from "./row-details.tsx";
import { placeOf, type TimeScale } from "./time-scale.ts";
import classes from "./timeline.module.css";
import type { RowDetail, TimelineRow } from "./timeline-row.ts";

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
  readonly toggleOpened: (id: string) => void;
  readonly toggleFolded: (id: string) => void;
  readonly zoom: (id: string) => void;
}

/** One line of the timeline; what is behind it opens below. */
export const TimelineRowView = memo(function TimelineRowView(props: Props) {
  const { row, origin, scale, now, isOpened, isFolded, toggleOpened, toggleFolded, zoom } = props;
  const { id, depth, label, about, childCount, outcome, from } = row;
  const to = row.to ?? Math.max(now, from);
  const { word, icon: OutcomeIcon } = OUTCOME_WORDS[outcome];
  const KindIcon = ICONS[row.detail.type];
  return (
    <div
      className={classes.item}
      data-outcome={outcome}
      data-idle={isIdle(row) || undefined}
      style={{ "--depth": depth }}
    >
      <Tooltip
        label={exactTimes(row, to, origin)}
        multiline
        maw={360}
        openDelay={250}
        position="top-start"
        // Within the page's main part, where those who hear it look for it.
        portalProps={{ target: "#content" }}
        events={{ hover: true, focus: true, touch: false }}
      >
        <UnstyledButton
          className={classes.row}
          aria-expanded={isOpened}
          data-row
          onClick={() => toggleOpened(id)}
        >
          <span className={classes.label}>
            <KindIcon size={15} aria-hidden className={classes.kind} />
            <span className={classes.name}>{label}</span>{" "}
            {about !== undefined && <span className={classes.about}>{about}</span>}
          </span>{" "}
          <span className={classes.track} aria-hidden>
            <Bar scale={scale} from={from} begun={row.begun} to={to} isOpen={row.to === null} />
          </span>
          <span className={classes.time}>
            <span className={classes.word} data-quiet={outcome === "done" || undefined}>
              {word}
            </span>{" "}
            <span className={classes.duration}>{durationText(to - from)}</span>
            <OutcomeIcon size={16} aria-hidden className={classes.outcome} />
          </span>
        </UnstyledButton>
      </Tooltip>
      {childCount > 0 && (
        <ActionIcon
          className={classes.fold}
          variant="subtle"
          color="gray"
          size={22}
          aria-expanded={!isFolded}
          aria-label={isFolded ? `Show what is inside ${label}` : `Fold ${label}`}
          onClick={() => toggleFolded(id)}
        >
          {isFolded ? <IconChevronRight size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
        </ActionIcon>
      )}
      {isOpened && <RowDetails row={row} to={to} origin={origin} zoom={() => zoom(id)} />}
    </div>
  );
});

function isIdle({ detail }: TimelineRow): boolean {
  return detail.type === "phase" && (detail.phase === "queued" || detail.phase === "ready");
}

interface BarProps {
  readonly scale: TimeScale;
  readonly from: number;
  readonly begun: number | undefined;
  readonly to: number;
  readonly isOpen: boolean;
}

/** What was waited for is drawn fainter than what was done. */
function Bar({ scale, from, begun, to, isOpen }: BarProps) {
  const whole = placeOf(scale, { from, to });
  if (whole === undefined) return null;
  const work =
    begun === undefined || begun <= from ? undefined : placeOf(scale, { from: Math.min(begun, to), to });
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
