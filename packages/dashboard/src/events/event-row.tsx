import { IconChevronRight } from "@tabler/icons-react";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { memo } from "react";
import { clockText, exactTime } from "../components/exact-time.ts";
import { HookLink } from "../components/hook-link.tsx";
import { JsonView } from "../components/json-view.tsx";
import { LightBadge } from "../components/light-badge.tsx";
import { shortId } from "../components/links.tsx";
import { RowLink } from "../components/row-link.tsx";
import { failureMessage } from "./event-failure.ts";
import { colorOf, isFailure } from "./event-groups.ts";
import { findEventHook } from "./event-hook.ts";
import classes from "./event-list.module.css";
import { eventSummary } from "./event-summary.ts";

interface Props {
  readonly event: RunEvent;
  readonly agent: string | undefined;
  /** The name of a runner, if it is known. */
  readonly runnerName: (id: string) => string | undefined;
  readonly isOpen: boolean;
  readonly onToggle: (id: string) => void;
}

/**
 * An event on one line; a click shows all of it. Hundreds of rows are rendered a second, so it uses plain elements, which are
 * cheaper than the library's components.
 */
export const EventRow = memo(function EventRow({ event, agent, runnerName, isOpen, onToggle }: Props) {
  const { event_type, run_id, timestamp } = event;
  const summary = eventSummary(event, runnerName);
  const failure = isOpen ? failureMessage(event) : undefined;
  const hook = isOpen ? findEventHook(event, agent) : undefined;
  return (
    <>
      <div className={classes.line}>
        <time className={classes.time} dateTime={timestamp} title={exactTime(timestamp)}>
          {clockText(timestamp)}
        </time>
        <div className={classes.cell}>
          <LightBadge color={colorOf(event)}>{event_type}</LightBadge>
        </div>
        <div className={classes.cut}>
          {run_id !== null && (
            <RowLink to="/runs/$id" id={run_id} className={classes.run} title={run_id}>
              {shortId(run_id)}
            </RowLink>
          )}
        </div>
        <div className={classes.cut}>
          {agent !== undefined && (
            <RowLink to="/agents/$name" id={agent} className={classes.link}>
              {agent}
            </RowLink>
          )}
        </div>
        <button
          type="button"
          className={classes.summary}
          aria-expanded={isOpen}
          aria-label={`${event_type}${summary === "" ? "" : `: ${summary}`}`}
          data-failure={isFailure(event) || undefined}
          onClick={() => onToggle(event.id)}
        >
          <IconChevronRight size={14} aria-hidden className={classes.chevron} />
          <span className={classes.cut}>{summary}</span>
        </button>
      </div>
      {isOpen && (
        <div className={classes.whole}>
          {hook !== undefined && (
            <p className={classes.hook}>
              Hook <HookLink hook={hook} underline="always" />
            </p>
          )}
          {failure !== undefined && <pre className={classes.failure}>{failure}</pre>}
          <JsonView value={event} label="event" />
        </div>
      )}
    </>
  );
});
