import { useEffect, useReducer, useRef } from "react";

/** So many new rows are rendered at a time. */
const STEP = 5;
/** With more of them it is another list, which is shown at once. */
const MAX_NEW = 60;
/** About a frame. Not an animation frame: a tab in the background has none. */
const STEP_MS = 16;

/** The rows to render. New ones at the top come a few at a time: a burst becomes several short tasks instead of a long one. */
export function useGradualRows<T>(rows: readonly T[], keyOf: (row: T) => string): readonly T[] {
  /** The key of the first row that was rendered. */
  const top = useRef<string>(undefined);
  const [, renderNext] = useReducer((count: number) => count + 1, 0);
  const added = rows.findIndex((row) => keyOf(row) === top.current);
  const start = added > MAX_NEW ? 0 : Math.max(0, added - STEP);
  const first = rows[start];
  const key = first === undefined ? undefined : keyOf(first);
  useEffect(() => {
    top.current = key;
    if (start === 0) return;
    const timer = setTimeout(renderNext, STEP_MS);
    return () => clearTimeout(timer);
  }, [start, key]);
  return start === 0 ? rows : rows.slice(start);
}
