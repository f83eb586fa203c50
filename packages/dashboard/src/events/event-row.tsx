import { Badge, UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { memo } from "react";
import { clockText, exactTime } from "../components/exact-time.ts";
import { JsonView } from "../components/json-view.tsx";
import { AgentLink, RunLink } from "../components/links.tsx";
import { useRunnerName } from "../components/use-runner-name.ts";
import { colorOf } from "./event-groups.ts";
import classes from "./event-list.module.css";
import { eventSummary } from "./event-summary.ts";

interface Props {
  readonly event: RunEvent;
  readonly agent: string | undefined;
  readonly isOpen: boolean;
  readonly onToggle: (id: string) => void;
}

/** An event on one line; a click shows all of it. */
export const EventRow = memo(function EventRow({ event, agent, isOpen, onToggle }: Props) {
  const { event_type, run_id, timestamp } = event;
  const summary = eventSummary(event, useRunnerName());
  return (
    <>
      <div className={classes.line}>
        <time className={classes.time} dateTime={timestamp} title={exactTime(timestamp)}>
          {clockText(timestamp)}
        </time>
        <div>
          <Badge color={colorOf(event)} variant="light" radius="sm" tt="none" fw={600} maw="100%">
            {event_type}
          </Badge>
        </div>
        <div className={classes.cut}>{run_id !== null && <RunLink id={run_id} size="xs" />}</div>
        <div className={classes.cut}>{agent !== undefined && <AgentLink name={agent} />}</div>
        <UnstyledButton
          className={classes.summary}
          aria-expanded={isOpen}
          aria-label={`${event_type}${summary === "" ? "" : `: ${summary}`}`}
          onClick={() => onToggle(event.id)}
          fz="sm"
        >
          <IconChevronRight size={14} aria-hidden className={classes.chevron} />
          <span className={classes.cut}>{summary}</span>
        </UnstyledButton>
      </div>
      {isOpen && (
        <div className={classes.whole}>
          <JsonView value={event} label="event" />
        </div>
      )}
    </>
  );
});
