import { ActionIcon } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import type { SessionSummary } from "@tenterhook/protocol/runs";
import { memo } from "react";
import { shortId } from "../components/links.tsx";
import { RowLink } from "../components/row-link.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { RowAgo } from "../components/times.tsx";
import { TrialBadge } from "../components/trial-badge.tsx";
import { childrenText, LINK_LABELS } from "./session-links.ts";
import classes from "./session-tree.module.css";

interface Props {
  readonly session: SessionSummary;
  readonly depth: number;
  readonly showsParent: boolean;
  readonly isOpen: boolean;
  readonly onToggle: (id: string) => void;
}

/** A session on one line. Scrolling and events render many rows, so most of it are plain elements, which are cheaper. */
export const SessionRow = memo(function SessionRow({ session, depth, showsParent, isOpen, onToggle }: Props) {
  const { session_id, agent_name, child_count, last_status, run_count, parent_session_id } = session;
  const link = session.parent_link === null ? undefined : LINK_LABELS[session.parent_link];
  const style = { "--depth": depth };
  return (
    <div className={classes.row} style={style} data-row>
      <div className={classes.name}>
        <div className={classes.toggle}>
          {child_count > 0 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-expanded={isOpen}
              aria-label={`${isOpen ? "Hide" : "Show"} ${childrenText(child_count)} of ${agent_name} ${shortId(session_id)}`}
              onClick={() => onToggle(session_id)}
            >
              <IconChevronRight size={16} aria-hidden className={classes.chevron} />
            </ActionIcon>
          )}
        </div>
        <RowLink to="/agents/$name" id={agent_name} className={classes.agent}>
          {agent_name}
        </RowLink>
        <RowLink to="/sessions/$id" id={session_id} className={classes.id} title={session_id} data-row-link>
          {shortId(session_id)}
        </RowLink>
        {showsParent && parent_session_id !== null && (
          <span className={classes.parent}>
            of{" "}
            <RowLink
              to="/sessions/$id"
              id={parent_session_id}
              className={classes.id}
              title={parent_session_id}
            >
              {shortId(parent_session_id)}
            </RowLink>
          </span>
        )}
      </div>
      <div>
        {/* The session of any other hook belongs to that of its run. */}
        {session.kind === "hook" && parent_session_id === null && <TrialBadge />}
        {link !== undefined && (
          <span className={classes.kind} title={link.means}>
            {link.label}
          </span>
        )}
      </div>
      <div>
        {run_count}
        <span className={classes.unit}>{run_count === 1 ? " run" : " runs"}</span>
      </div>
      <div>
        {last_status !== null && (
          <StatusBadge
            status={last_status}
            waitingFor={session.last_waiting_for}
            blockReason={session.last_block_reason}
          />
        )}
      </div>
      <div className={classes.created}>
        <RowAgo time={session.created_at} />
      </div>
    </div>
  );
});
