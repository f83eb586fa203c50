import { Group, Skeleton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { SessionSummary } from "@tenterhook/protocol/runs";
import { queries } from "../api/queries.ts";
import { shortId } from "../components/links.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { useIsNarrow } from "../components/use-is-narrow.ts";
import { WindowRows } from "../components/window-rows.tsx";
import { SessionRow } from "./session-row.tsx";
import classes from "./session-tree.module.css";

/** Which sessions show their children. */
interface Openings {
  readonly opened: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
}

interface Props extends Openings {
  readonly sessions: readonly SessionSummary[];
  readonly label: string;
  readonly depth: number;
  readonly showsParents: boolean;
}

const ROW_PX = 35;
const NARROW_ROW_PX = 62;

export const readSessionId = ({ session_id }: SessionSummary) => session_id;

/** Sessions of one level of a tree, each with its children while it is open. */
export function SessionRows({ sessions, label, depth, showsParents, ...openings }: Props) {
  const isNarrow = useIsNarrow();
  const { opened, onToggle } = openings;
  return (
    <WindowRows
      items={sessions}
      keyOf={readSessionId}
      label={label}
      estimate={isNarrow ? NARROW_ROW_PX : ROW_PX}
    >
      {(session) => (
        <>
          <SessionRow
            session={session}
            depth={depth}
            showsParent={showsParents}
            isOpen={opened.has(session.session_id)}
            onToggle={onToggle}
          />
          {opened.has(session.session_id) && (
            <Children id={session.session_id} depth={depth + 1} {...openings} />
          )}
        </>
      )}
    </WindowRows>
  );
}

function Children({ id, depth, ...openings }: Openings & { readonly id: string; readonly depth: number }) {
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
    <>
      <SessionRows
        sessions={query.data.pages.flatMap(({ sessions }) => sessions)}
        label={`Sessions of ${shortId(id)}`}
        depth={depth}
        showsParents={false}
        {...openings}
      />
      {query.hasNextPage && (
        <div className={classes.more} style={style}>
          <Group>
            <MoreButton query={query} label="Show more" />
          </Group>
        </div>
      )}
    </>
  );
}
