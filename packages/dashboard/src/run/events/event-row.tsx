import { UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { memo } from "react";
import { clockText } from "../../components/exact-time.ts";
import { formatCount } from "../../components/format-count.ts";
import { JsonView } from "../../components/json-view.tsx";
import { useRunnerName } from "../../components/use-runner-name.ts";
import { isFailure } from "../../events/event-groups.ts";
import { eventSummary } from "../../events/event-summary.ts";
import classes from "./event-row.module.css";

interface Props {
  readonly event: RunEvent;
  readonly origin: string;
  readonly isOpened: boolean;
  readonly toggle: (id: string) => void;
}

/** An event on one line; a click shows all of it. */
export const EventRow = memo(function EventRow({ event, origin, isOpened, toggle }: Props) {
  const runnerName = useRunnerName();
  const at = Date.parse(event.timestamp);
  return (
    <div className={classes.item}>
      <UnstyledButton
        className={classes.row}
        data-row
        aria-expanded={isOpened}
        title={event.timestamp}
        onClick={() => toggle(event.id)}
      >
        {isOpened ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
        <span className={classes.number}>{event.number}</span>
        <span className={classes.time}>{clockText(at)}</span>
        <span className={classes.offset}>+{formatCount(at - Date.parse(origin))} ms</span>
        <span className={classes.type} data-failure={isFailure(event) || undefined}>
          {event.event_type}
        </span>
        <span className={classes.summary}>{eventSummary(event, runnerName)}</span>
      </UnstyledButton>
      {isOpened && (
        <div className={classes.details}>
          <JsonView value={event} label={`event ${event.number}`} />
        </div>
      )}
    </div>
  );
});
