import { Text, Tooltip, VisuallyHidden } from "@mantine/core";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { memo } from "react";
import { SessionLink, shortId } from "../parts/links.tsx";
import { AnchorLink } from "../parts/router-links.ts";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Ago, Took } from "../parts/times.tsx";
import { HookBadges } from "./hook-badges.tsx";
import classes from "./run-row.module.css";

interface Props {
  readonly run: RunSummary;
  readonly index: number;
  /** From the top of the list, in pixels. */
  readonly top: number;
}

/** One run in a line, or in two where there is little room. The whole of it is a link. */
export const RunRow = memo(function RunRow({ run, index, top }: Props) {
  const { run_id, agent_name, status, error, kind, session_id, created_at, started_at, finished_at } = run;
  const badge = <StatusBadge status={status} />;
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      data-run={run_id}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      <td className={classes.status}>
        {error === null ? (
          badge
        ) : (
          <Tooltip label={error} multiline maw={360}>
            <span>
              {badge}
              <VisuallyHidden>: {error}</VisuallyHidden>
            </span>
          </Tooltip>
        )}
      </td>
      <td className={classes.agent}>
        <AnchorLink
          to="/runs/$id"
          params={{ id: run_id }}
          preload={false}
          underline="never"
          className={classes.link}
          title={`${agent_name}, ${run_id}`}
        >
          {agent_name} <span className={classes.id}>{shortId(run_id)}</span>
        </AnchorLink>
      </td>
      <td className={classes.hooks}>
        <HookBadges run={run} />
      </td>
      <td className={classes.kind}>{kind}</td>
      <td className={classes.session}>
        <SessionLink id={session_id} truncate c="inherit" />
      </td>
      <td className={classes.started}>
        <Ago time={created_at} />
      </td>
      <td className={classes.duration}>
        {started_at === null ? (
          <Text span inherit aria-label="has not run">
            –
          </Text>
        ) : (
          <Took from={started_at} to={finished_at} />
        )}
      </td>
    </tr>
  );
});
