import type { RunSummary } from "@tenterhook/protocol/runs";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { byNewest } from "./merge-runs.ts";
import { rowShift } from "./row-shift.ts";

interface List {
  readonly rows: readonly RunSummary[];
  readonly listName: string | undefined;
  /** The offset of the list on the page, in pixels. */
  readonly top: number;
  /** The height of a row. */
  readonly height: number;
  /** The scroll offset at the last scroll event. Reading it from the window would force a layout. */
  readonly scrolled: number;
}

/** The height of the sticky headers of page and table. */
const HEADER_PX = 88;

/**
 * Keeps the visible rows in place when rows are added above them, by scrolling before the next paint. Returns how many rows
 * were added since the top was last visible.
 */
export function useSteadyScroll({ rows, listName, top, height, scrolled }: List) {
  const before = useRef({ rows, listName });
  const first = Math.floor((scrolled + HEADER_PX - top) / height);
  const isAtTop = first <= 0;
  /** The newest run when the top was last visible. */
  const [newest, setNewest] = useState<RunSummary>();

  useLayoutEffect(() => {
    const { rows: old, listName: oldName } = before.current;
    before.current = { rows, listName };
    if (old === rows || listName === undefined || oldName !== listName || isAtTop) return;
    const shift = rowShift(old, rows, first);
    if (shift !== 0) window.scrollBy({ top: shift * height, behavior: "instant" });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list resets it
  useEffect(() => setNewest(isAtTop ? rows[0] : (seen) => seen ?? rows[0]), [isAtTop, rows, listName]);

  const isNewer = (run: RunSummary) => newest !== undefined && byNewest(run, newest) < 0;
  const end = isAtTop ? 0 : rows.findIndex((run) => !isNewer(run));
  return { newCount: end === -1 ? rows.length : end, isAtTop, firstVisible: first };
}
