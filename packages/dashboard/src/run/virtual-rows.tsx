import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import classes from "./virtual-rows.module.css";

interface Props<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly label: string;
  /** The estimated height of a row in pixels. */
  readonly estimate: number;
  /** Stays above the rows while they are scrolled. */
  readonly header?: ReactNode;
  /** Lies behind all rows. */
  readonly backdrop?: ReactNode;
  /** Keeps the list at its end when rows are added, if the user has scrolled there. */
  readonly sticksToEnd?: boolean;
  /** The index of a row to scroll to, whenever it changes. */
  readonly scrolledTo?: number | undefined;
  readonly children: (item: T) => ReactNode;
}

/** Longer lists scroll in a box of their own instead of with the page. */
const MAX_UNBOUNDED = 40;

/** A list of which only the visible rows are rendered. The arrow keys move between rows. */
export function VirtualRows<T>(props: Props<T>) {
  const {
    items,
    keyOf,
    label,
    estimate,
    header,
    backdrop,
    sticksToEnd = false,
    scrolledTo,
    children,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(false);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => estimate,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    overscan: 12,
    // React warns about flushSync during rendering.
    useFlushSync: false,
  });
  const last = items.length - 1;
  useEffect(() => {
    if (sticksToEnd && isAtEnd.current && last >= 0) rows.scrollToIndex(last, { align: "end" });
  }, [rows, last, sticksToEnd]);
  useEffect(() => {
    if (scrolledTo !== undefined) rows.scrollToIndex(scrolledTo, { align: "center" });
  }, [rows, scrolledTo]);

  const goTo = (index: number) => {
    rows.scrollToIndex(index, { align: "auto" });
    const find = () => box.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row]`);
    const row = find();
    row?.focus({ preventScroll: true });
    // The row may have to be rendered first. One that has the focus must not take it back from where the user moved it since.
    if (!row)
      requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus({ preventScroll: true })));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const index = Number(target.closest("[data-index]")?.getAttribute("data-index") ?? Number.NaN);
    if (!target.hasAttribute("data-row") || Number.isNaN(index)) return;
    const next = nextIndex(event.key, index, last);
    if (next === undefined) return;
    event.preventDefault();
    goTo(next);
  };

  return (
    <section
      ref={box}
      className={classes.box}
      data-bounded={items.length > MAX_UNBOUNDED || undefined}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={() => {
        const { current } = box;
        if (current !== null)
          isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < 8;
      }}
    >
      {header}
      <div className={classes.content} style={{ height: rows.getTotalSize() }}>
        {backdrop}
        {/* The list only moves the focus between its buttons. */}
        <ul className={classes.list} onKeyDown={onKeyDown}>
          {rows.getVirtualItems().map(({ key, index, start }) => {
            const item = items[index];
            return (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                className={classes.row}
                style={{ transform: `translateY(${start}px)` }}
              >
                {item !== undefined && children(item)}
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

function nextIndex(key: string, index: number, last: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return Math.min(last, index + 1);
    case "ArrowUp":
      return Math.max(0, index - 1);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
