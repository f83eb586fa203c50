import type { RunSummary } from "@tenterhook/protocol/runs";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { byNewest } from "./merge-runs.ts";
import { rowShift } from "./row-shift.ts";

interface List {
  readonly rows: readonly RunSummary[];
  readonly listName: string | undefined;
  /** Where the list begins on the page, in pixels. */
  readonly top: number;
  /** Of a row. */
  readonly height: number;
  /** How far the page was scrolled when it last was. To ask the window would make it lay out everything at once. */
  readonly scrolled: number;
}

/** What stays at the top of the window: the page's head and the table's. */
const COVERED = 88;

/**
 * Rows that come above what somebody looks at must not push it away: the window scrolls along, before anything is painted.
 * Tells how many have come since the top was last seen.
 */
export function useSteadyScroll({ rows, listName, top, height, scrolled }: List) {
  const before = useRef({ rows, listName });
  const first = Math.floor((scrolled + COVERED - top) / height);
  const isAtTop = first <= 0;
  /** The newest run when the top was last seen. */
  const [newest, setNewest] = useState<RunSummary>();

  useLayoutEffect(() => {
    const { rows: old, listName: oldName } = before.current;
    before.current = { rows, listName };
    if (old === rows || listName === undefined || oldName !== listName || isAtTop) return;
    const shift = rowShift(old, rows, first);
    if (shift !== 0) window.scrollBy({ top: shift * height, behavior: "instant" });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins anew
  useEffect(() => setNewest(isAtTop ? rows[0] : (seen) => seen ?? rows[0]), [isAtTop, rows, listName]);

  const isNewer = (run: RunSummary) => newest !== undefined && byNewest(run, newest) < 0;
  const end = isAtTop ? 0 : rows.findIndex((run) => !isNewer(run));
  return { newCount: end === -1 ? rows.length : end, isAtTop };
}
