import type { TimelineRow } from "./timeline-row.ts";

/** The rows without the children of folded rows. */
export function visibleRows(
  rows: readonly TimelineRow[],
  folded: ReadonlySet<string>,
): readonly TimelineRow[] {
  if (folded.size === 0) return rows;
  let hiddenBelow = Number.POSITIVE_INFINITY;
  return rows.filter(({ id, depth }) => {
    if (depth > hiddenBelow) return false;
    hiddenBelow = folded.has(id) ? depth : Number.POSITIVE_INFINITY;
    return true;
  });
}
