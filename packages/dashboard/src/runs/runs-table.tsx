import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { useElementTop } from "../components/use-element-top.ts";
import { useIsNarrow } from "../components/use-is-narrow.ts";
import { NewRunsPill } from "./new-runs-pill.tsx";
import rowClasses from "./run-row.module.css";
import { type OnSelect, RunRow } from "./run-row.tsx";
import classes from "./runs-table.module.css";
import { SelectAll } from "./select-all.tsx";
import { useRowKeys } from "./use-row-keys.ts";
import type { RunColumns } from "./use-run-columns.ts";
import { useSteadyScroll } from "./use-steady-scroll.ts";

interface Props {
  readonly rows: readonly RunSummary[];
  readonly shown: Pick<RunColumns, "columns" | "prices">;
  readonly isSearch: boolean;
  /** Identifies the list; `undefined` while the rows of the previous list are still shown. */
  readonly listName: string | undefined;
  readonly hasMore: boolean;
  /** Called when the user scrolls near the end. */
  readonly onEnd: () => void;
  /** Called when the rows change while the top is visible. */
  readonly onTop: () => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: OnSelect | undefined;
  readonly onSelectAll: (isSelected: boolean) => void;
  /** Shown below the last row: a placeholder or an error. */
  readonly children?: ReactNode;
}

const ROW_HEIGHT = 42;
const CARD_HEIGHT = 66;
/** With a line for the input. */
const TALL_CARD_HEIGHT = 88;
const NEAR_END = 60;

/** Any number of runs, of which only those near the viewport are rendered. The window itself scrolls. */
export function RunsTable(props: Props) {
  const {
    rows,
    shown,
    isSearch,
    listName,
    hasMore,
    onEnd,
    onTop,
    selected,
    onSelect,
    onSelectAll,
    children,
  } = props;
  const { columns, prices } = shown;
  const isNarrow = useIsNarrow();
  const hasInput = columns.some(({ name }) => name === "input");
  const height = !isNarrow ? ROW_HEIGHT : hasInput ? TALL_CARD_HEIGHT : CARD_HEIGHT;
  const body = useRef<HTMLTableSectionElement>(null);
  const top = useElementTop(body);
  const keys = useRowKeys(rows, onSelect);
  const { focused } = keys;
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    getItemKey: useCallback((index: number) => rows[index]?.run_id ?? index, [rows]),
    overscan: 8,
    scrollMargin: top,
    // The focused row stays rendered, so that the keyboard focus is not lost by scrolling.
    rangeExtractor: useCallback(
      (range: Range) => {
        const near = defaultRangeExtractor(range);
        const index = focused === undefined ? -1 : rows.findIndex(({ run_id }) => run_id === focused);
        if (index === -1 || near.includes(index)) return near;
        return [...near, index].sort((a, b) => a - b);
      },
      [focused, rows],
    ),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights change with the width of the window
  useEffect(() => virtualizer.measure(), [height]);

  const { newCount, isAtTop, firstVisible } = useSteadyScroll({
    rows,
    listName,
    top,
    height,
    scrolled: virtualizer.scrollOffset ?? 0,
  });
  const items = virtualizer.getVirtualItems();
  // Tab leads to the row that had the focus last, or to the first visible one.
  const isRendered = items.some(({ index }) => rows[index]?.run_id === keys.last);
  const tabStop = isRendered ? keys.last : rows[Math.max(0, firstVisible)]?.run_id;
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
        style={{
          "--row-height": `${height}px`,
          "--columns": columns.map(({ width }) => width).join(" "),
          "--areas": `"${columns.map(({ name }) => name).join(" ")}"`,
        }}
      >
        <thead className={rowClasses.heads}>
          <tr aria-rowindex={1} className={rowClasses.head}>
            {columns.map(({ name, label }) => (
              <th
                key={name}
                scope="col"
                className={rowClasses[name]}
                aria-sort={name === "created" ? "descending" : undefined}
              >
                {name === "status" && onSelect !== undefined && !isNarrow && (
                  <SelectAll rows={rows} selected={selected} onChange={onSelectAll} />
                )}
                {name === "about" && isSearch ? "Found" : name === "created" ? `${label} ↓` : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          ref={body}
          className={classes.body}
          data-list
          data-lines={hasInput ? 3 : 2}
          style={{ height: rows.length * height }}
          {...keys.handlers}
        >
          {items.map(({ key, index }) => {
            const run = rows[index];
            return (
              run !== undefined && (
                <RunRow
                  key={key}
                  run={run}
                  columns={columns}
                  prices={prices}
                  isTabStop={run.run_id === tabStop}
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
