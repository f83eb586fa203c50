import { Link } from "@tanstack/react-router";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { memo } from "react";
import { useNow } from "../components/clock.ts";
import { agoText } from "../components/durations.ts";
import { exactTime } from "../components/exact-time.ts";
import { shortId } from "../components/links.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { Duration } from "../components/times.tsx";
import { HookBadges } from "./hook-badges.tsx";
import classes from "./run-row.module.css";

interface Props {
  readonly run: RunSummary;
  readonly index: number;
  /** From the top of the list, in pixels. */
  readonly top: number;
}

/**
 * A run on one line, or on two on a narrow screen. The whole row is a link. Scrolling renders dozens of rows a second, so it
 * uses plain elements, which are cheaper than the library's components.
 */
export const RunRow = memo(function RunRow({ run, index, top }: Props) {
  const { run_id, agent_name, status, kind, session_id, created_at, started_at, finished_at } = run;
  const reason = run.block_reason ?? run.error ?? run.stop_reason;
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      data-run={run_id}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      <td className={classes.status}>
        <StatusBadge status={status} blockReason={run.block_reason} />
      </td>
      <td className={classes.agent}>
        <Link
          to="/runs/$id"
          params={{ id: run_id }}
          preload={false}
          className={classes.link}
          title={`${agent_name}, ${run_id}`}
        >
          {agent_name} <span className={classes.id}>{shortId(run_id)}</span>
        </Link>
      </td>
      <td className={classes.about} title={reason ?? undefined}>
        {reason?.split("\n", 1)[0]}
      </td>
      <td className={classes.hooks}>
        <HookBadges run={run} />
      </td>
      <td className={classes.kind}>{kind}</td>
      <td className={classes.session}>
        <Link to="/sessions/$id" params={{ id: session_id }} preload={false} title={session_id}>
          {shortId(session_id)}
        </Link>
      </td>
      <td className={classes.created}>
        <Created time={created_at} />
      </td>
      <td className={classes.duration}>
        {started_at === null ? (
          <span title="Not started">–</span>
        ) : (
          <Duration from={started_at} to={finished_at} />
        )}
      </td>
    </tr>
  );
});

function Created({ time }: { readonly time: string }) {
  const now = useNow();
  return (
    <time dateTime={time} title={exactTime(time)}>
      {agoText(now - Date.parse(time))}
    </time>
  );
}
