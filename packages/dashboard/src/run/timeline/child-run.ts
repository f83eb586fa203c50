import type { TimelineRow } from "./timeline-row.ts";

/** The run that executes the hook of a row. */
export function childRunOf({ detail }: TimelineRow): string | undefined {
  return detail.type === "hook" ? (detail.hook.child_run_id ?? undefined) : undefined;
}

export function isUnfolded(row: TimelineRow, unfolded: ReadonlySet<string>): boolean | undefined {
  const id = childRunOf(row);
  return id === undefined ? undefined : unfolded.has(id);
}
