import { Paper } from "@mantine/core";
import type { SessionSummary } from "@tenterhook/protocol/runs";
import { moveByArrows } from "../components/row-arrows.ts";
import { useToggles } from "../components/use-toggles.ts";
import { SessionRows } from "./session-rows.tsx";
import classes from "./session-tree.module.css";

interface Props {
  readonly sessions: readonly SessionSummary[];
  readonly label: string;
  /** Shows the parent of each session, for lists that mix sessions of all depths. */
  readonly showsParents?: boolean;
}

/** A tree of sessions; children are read when a session is expanded. Only the rows near the viewport are rendered. */
export function SessionTree({ sessions, label, showsParents = false }: Props) {
  // Kept here, because rows that are scrolled away are not rendered.
  const [opened, toggle] = useToggles();
  return (
    <Paper withBorder style={{ overflow: "hidden" }}>
      <div className={classes.head} aria-hidden>
        <span>Agent and session</span>
        <span>Kind</span>
        <span>Runs</span>
        <span>Last run</span>
        <span>Created ↓</span>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys only move the focus between its links */}
      <div className={classes.tree} data-list onKeyDown={moveByArrows}>
        <SessionRows
          sessions={sessions}
          label={label}
          depth={0}
          showsParents={showsParents}
          opened={opened}
          onToggle={toggle}
        />
      </div>
    </Paper>
  );
}
