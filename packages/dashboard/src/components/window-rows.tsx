import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type FocusEvent, type ReactNode, useCallback, useRef, useState } from "react";
import { useElementTop } from "./use-element-top.ts";
import classes from "./window-rows.module.css";

interface Props<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly label: string;
  /** The estimated height of a row in pixels. Real heights are measured. */
  readonly estimate: number;
  readonly children: (item: T) => ReactNode;
}

const OVERSCAN = 10;

/** A list of any length that scrolls with the window, of which only the rows near the viewport are rendered. */
export function WindowRows<T>({ items, keyOf, label, estimate, children }: Props<T>) {
  const list = useRef<HTMLUListElement>(null);
  const top = useElementTop(list);
  const [focused, setFocused] = useState<string>();
  const keyAt = useCallback(
    (index: number) => {
      const item = items[index];
      return item === undefined ? String(index) : keyOf(item);
    },
    [items, keyOf],
  );
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => estimate,
    getItemKey: keyAt,
    overscan: OVERSCAN,
    scrollMargin: top,
    // The focused row stays rendered, so that the keyboard focus is not lost by scrolling.
    rangeExtractor: useCallback(
      (range: Range) => {
        const near = defaultRangeExtractor(range);
        const index = focused === undefined ? -1 : items.findIndex((item) => keyOf(item) === focused);
        if (index === -1 || near.includes(index)) return near;
        return [...near, index].sort((a, b) => a - b);
      },
      [focused, items, keyOf],
    ),
    // React warns about flushSync during rendering.
    useFlushSync: false,
  });
  return (
    <ul
      ref={list}
      aria-label={label}
      className={classes.list}
      style={{ height: rows.getTotalSize() }}
      onFocus={({ target }: FocusEvent) => setFocused(findKey(list.current, target))}
      onBlur={() => setFocused(undefined)}
    >
      {rows.getVirtualItems().map(({ key, index, start }) => {
        const item = items[index];
        return (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            data-key={key}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            className={classes.row}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {item !== undefined && children(item)}
          </li>
        );
      })}
    </ul>
  );
}

/** The row of this list that contains an element, which may be in a list within the row. */
function findKey(list: HTMLElement | null, target: Element): string | undefined {
  const row = [...(list?.children ?? [])].find((each) => each.contains(target));
  return row?.getAttribute("data-key") ?? undefined;
}
