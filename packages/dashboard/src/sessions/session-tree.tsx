import { ActionIcon, Badge, Group, Paper, Skeleton, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronRight } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { SessionSummary } from "@tenterhook/protocol/runs";
import { queries } from "../api/queries.ts";
import { AgentLink, SessionLink, shortId } from "../components/links.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { moveByArrows } from "../components/row-arrows.ts";
import { StatusBadge } from "../components/status-badge.tsx";
import { Ago } from "../components/times.tsx";
import { TrialBadge } from "../components/trial-badge.tsx";
import { childrenText, LINK_LABELS } from "./session-links.ts";
import classes from "./session-tree.module.css";

interface Props {
  readonly sessions: readonly SessionSummary[];
  readonly label: string;
  /** Shows the parent of each session, for lists that mix sessions of all depths. */
  readonly showsParents?: boolean;
}

/** A tree of sessions; children are read when a session is expanded. */
export function SessionTree({ sessions, label, showsParents = false }: Props) {
  return (
    <Paper withBorder style={{ overflow: "hidden" }}>
      <div className={classes.head} aria-hidden>
        <span>Agent and session</span>
        <span>Kind</span>
        <span>Runs</span>
        <span>Last run</span>
        <span>Created ↓</span>
      </div>
      <ul className={classes.tree} aria-label={label} data-list onKeyDown={moveByArrows}>
        {sessions.map((session) => (
          <Branch key={session.session_id} session={session} depth={0} showsParent={showsParents} />
        ))}
      </ul>
    </Paper>
  );
}

interface BranchProps {
  readonly session: SessionSummary;
  readonly depth: number;
  readonly showsParent: boolean;
}

function Branch({ session, depth, showsParent }: BranchProps) {
  const [isOpen, { toggle }] = useDisclosure();
  const { session_id, agent_name, child_count, last_status, run_count, parent_session_id } = session;
  const link = session.parent_link === null ? undefined : LINK_LABELS[session.parent_link];
  const style = { "--depth": depth };
  return (
    <li>
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
                onClick={toggle}
              >
                <IconChevronRight size={16} aria-hidden className={classes.chevron} />
              </ActionIcon>
            )}
          </div>
          <AgentLink name={agent_name} className={classes.agent} fw={500} />
          <SessionLink id={session_id} className={classes.id} data-row-link />
          {showsParent && parent_session_id !== null && (
            <Text size="xs" c="dimmed" className={classes.id} component="span">
              of <SessionLink id={parent_session_id} size="xs" />
            </Text>
          )}
        </div>
        <div>
          {/* The session of any other hook belongs to that of its run. */}
          {session.kind === "hook" && parent_session_id === null && <TrialBadge />}
          {link !== undefined && (
            <Tooltip label={link.means} multiline maw={280}>
              <Badge variant="default" radius="sm" tt="none" fw={500}>
                {link.label}
              </Badge>
            </Tooltip>
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
        <Text size="sm" c="dimmed" component="div">
          <Ago time={session.created_at} />
        </Text>
      </div>
      {isOpen && <Children id={session_id} depth={depth + 1} />}
    </li>
  );
}

function Children({ id, depth }: { readonly id: string; readonly depth: number }) {
  const query = useInfiniteQuery(queries.sessions({ parent: id }));
  const style = { "--depth": depth };
  if (query.isPending) {
    return (
      <div className={classes.more} style={style} role="status" aria-label="Loading">
        <Skeleton h={14} w={220} />
      </div>
    );
  }
  if (query.isError) {
    return (
      <div className={classes.more} style={style}>
        <ProblemState error={query.error} retry={() => void query.refetch()} />
      </div>
    );
  }
  return (
    <ul aria-label={`Sessions of ${shortId(id)}`}>
      {query.data.pages
        .flatMap(({ sessions }) => sessions)
        .map((child) => (
          <Branch key={child.session_id} session={child} depth={depth} showsParent={false} />
        ))}
      {query.hasNextPage && (
        <li className={classes.more} style={style}>
          <Group>
            <MoreButton query={query} label="Show more" />
          </Group>
        </li>
      )}
    </ul>
  );
}
