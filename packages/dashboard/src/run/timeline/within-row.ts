import type { CallUsage } from "@tenterhook/protocol/runs";
import type { TimelineRow } from "./timeline-row.ts";

/** A row with all rows below it that belong to it. */
export function rowsWithin(rows: readonly TimelineRow[], id: string): readonly TimelineRow[] {
  const start = rows.findIndex((row) => row.id === id);
  const row = rows[start];
  if (row === undefined) return [];
  const next = rows.findIndex(({ depth }, index) => index > start && depth <= row.depth);
  return rows.slice(start, next === -1 ? undefined : next);
}

/** What hooks and people decided within a row, without the row itself. */
export function decisionsWithin([, ...inner]: readonly TimelineRow[]): readonly TimelineRow[] {
  return inner.filter(({ detail: { type } }) => type === "act" || type === "hook" || type === "approval");
}

/** What every model call within a row used. */
export function callsWithin(rows: readonly TimelineRow[]): readonly CallUsage[] {
  return rows.flatMap(({ detail }) =>
    detail.type === "step" && detail.usage !== undefined ? [detail.usage] : [],
  );
}
