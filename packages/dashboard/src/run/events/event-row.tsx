import { UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { memo } from "react";
import { JsonView } from "../../components/json-view.tsx";
import { eventSummary } from "../../events/event-summary.ts";
import { clockText } from "../timeline/exact-times.ts";
import { inputSummary } from "../timeline/input-summary.ts";
import classes from "./event-row.module.css";

interface Props {
  readonly event: RunEvent;
  readonly origin: string;
  readonly isOpened: boolean;
  readonly toggle: (id: string) => void;
}

/** An event on one line; a click shows all of it. */
export const EventRow = memo(function EventRow({ event, origin, isOpened, toggle }: Props) {
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
        <span className={classes.offset}>+{(at - Date.parse(origin)).toLocaleString("en")} ms</span>
        <span className={classes.type}>{event.event_type}</span>
        <span className={classes.summary}>{summaryOf(event)}</span>
      </UnstyledButton>
      {isOpened && (
        <div className={classes.details}>
          <JsonView value={event} label={`event ${event.number}`} />
        </div>
      )}
    </div>
  );
});

/** The beginning of the event's own fields. */
function summaryOf(event: RunEvent): string | undefined {
  if (event.event_type.startsWith("hook_") && event.target_name !== undefined) {
    const { hook_type, target_name, action } = event;
    return [hook_type, target_name, event.block_reason ?? event.error ?? action].filter(Boolean).join(" · ");
  }
  if (typeof (event.by ?? event.decided_by) === "string") return eventSummary(event);
  const { id, event_type, session_id, run_id, number, timestamp, step, hook_id, ...own } = event;
  return inputSummary(event.text ?? event.error ?? event.reason ?? own, 200);
}
