import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import type { RunSummary } from "@tenterhook/protocol/runs";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useIsNarrow } from "../components/use-is-narrow.ts";
import { NewRunsPill } from "./new-runs-pill.tsx";
import rowClasses from "./run-row.module.css";
import { RunRow } from "./run-row.tsx";
import classes from "./runs-table.module.css";
import { useSteadyScroll } from "./use-steady-scroll.ts";

interface Props {
  readonly rows: readonly RunSummary[];
  /** Identifies the list; `undefined` while the rows of the previous list are still shown. */
  readonly listName: string | undefined;
  readonly hasMore: boolean;
  /** Called when the user scrolls near the end. */
  readonly onEnd: () => void;
  /** Called when the rows change while the top is visible. */
  readonly onTop: () => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: ((id: string, isSelected: boolean) => void) | undefined;
  /** Shown below the last row: a placeholder or an error. */
  readonly children?: ReactNode;
}

const COLUMNS = [
  ["status", "Status"],
  ["agent", "Agent"],
  ["about", "Reason or result"],
  ["hooks", "Hooks"],
  ["kind", "Kind"],
  ["session", "Session"],
  ["created", "Created"],
  ["duration", "Duration"],
] as const;

/** The same as in `run-row.module.css`. */
const ROW_HEIGHT = 42;
const CARD_HEIGHT = 66;
const NEAR_END = 60;

/** Any number of runs, of which only those near the viewport are rendered. The window itself scrolls. */
export function RunsTable({ rows, listName, hasMore, onEnd, onTop, selected, onSelect, children }: Props) {
  const isNarrow = useIsNarrow();
  const height = isNarrow ? CARD_HEIGHT : ROW_HEIGHT;
  const body = useRef<HTMLTableSectionElement>(null);
  const top = useElementTop(body);
  const [focused, setFocused] = useState<string>();
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    getItemKey: useCallback((index: number) => rows[index]?.run_id ?? index, [rows]),
    overscan: 8,
    scrollMargin: top,
    // The focused row stays rendered, so that the keyboard focus is not lost by scrolling.
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range);
        const index = focused === undefined ? -1 : rows.findIndex(({ run_id }) => run_id === focused);
        if (index === -1 || shown.includes(index)) return shown;
        return [...shown, index].sort((a, b) => a - b);
      },
      [focused, rows],
    ),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights change with the width of the window
  useEffect(() => virtualizer.measure(), [height]);

  const { newCount, isAtTop } = useSteadyScroll({
    rows,
    listName,
    top,
    height,
    scrolled: virtualizer.scrollOffset ?? 0,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const isNearEnd = hasMore && last >= rows.length - NEAR_END;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every number of rows
  useEffect(() => {
    if (isNearEnd) onEnd();
  }, [isNearEnd, rows.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the rows have changed, or the top was reached
  useEffect(() => {
    if (isAtTop) onTop();
  }, [isAtTop, rows]);

  return (
    <div className={classes.frame}>
      <NewRunsPill count={newCount} />
      <table
        aria-label="Runs"
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-busy={listName === undefined}
        className={classes.table}
      >
        <thead className={rowClasses.heads}>
          <tr aria-rowindex={1} className={rowClasses.head}>
            {COLUMNS.map(([name, label]) => (
              <th
                key={name}
                scope="col"
                className={rowClasses[name]}
                aria-sort={name === "created" ? "descending" : undefined}
              >
                {name === "created" ? `${label} ↓` : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          ref={body}
          className={classes.body}
          style={{ height: rows.length * height }}
          onKeyDown={moveByArrows}
          onFocus={({ target }) => setFocused(findRow(target)?.dataset.run)}
          onBlur={() => setFocused(undefined)}
        >
          {items.map(({ key, index }) => {
            const run = rows[index];
            return (
              run !== undefined && (
                <RunRow
                  key={key}
                  run={run}
                  index={index}
                  top={index * height}
                  isSelected={selected.has(run.run_id)}
                  onSelect={onSelect}
                />
              )
            );
          })}
        </tbody>
      </table>
      {children}
    </div>
  );
}

function findRow(element: EventTarget): HTMLElement | undefined {
  return (element instanceof Element && element.closest<HTMLElement>("[data-index]")) || undefined;
}

/** The arrow keys move between rows. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const row = findRow(event.target);
  if (step === 0 || row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const next = event.currentTarget.querySelector<HTMLElement>(
    `[data-index="${Number(row.dataset.index) + step}"] a`,
  );
  if (next === null) return;
  event.preventDefault();
  next.focus();
}

/** The offset of an element from the top of the page, updated when content above it changes. */
function useElementTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current !== null)
        setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    // Content above the element may change its size.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    for (let each = element.current?.parentElement; each; each = each.parentElement) observer.observe(each);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
