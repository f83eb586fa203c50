import type { RunSummary } from "@tenterhook/protocol/runs";
import { type FocusEvent, type KeyboardEvent, useState } from "react";
import type { OnSelect } from "./run-row.tsx";

/**
 * The keys of the list: Tab leads to one row, the arrow keys to the others, and with Shift they select. Space selects the row.
 */
export function useRowKeys(rows: readonly RunSummary[], onSelect: OnSelect | undefined) {
  const [focused, setFocused] = useState<string>();
  const [last, setLast] = useState<string>();

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const row = findRow(event.target);
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const isLink = event.target instanceof HTMLAnchorElement;
    if (event.key === " " && isLink) {
      event.preventDefault();
      const box = findBox(row);
      if (row.dataset.run !== undefined && box !== null)
        onSelect?.(row.dataset.run, !box.checked, event.shiftKey);
      return;
    }
    const index = Number(row.dataset.index);
    const next = nextIndex(event.key, index, rows.length);
    if (next === undefined) return;
    // Its row may be far away, and not rendered.
    const target = event.currentTarget.querySelector<HTMLElement>(`[data-index="${next}"]`);
    if (target === null) return;
    event.preventDefault();
    (isLink ? target.querySelector("a") : findBox(target))?.focus();
    const [from, to] = [row.dataset.run, target.dataset.run];
    if (event.shiftKey && onSelect !== undefined && from !== undefined && to !== undefined) {
      onSelect(from, true, false);
      onSelect(to, true, true);
    }
  };
  const handlers = {
    onKeyDown,
    onFocus: ({ target }: FocusEvent) => {
      const id = findRow(target)?.dataset.run;
      setFocused(id);
      setLast(id);
    },
    onBlur: () => setFocused(undefined),
  };
  return { focused, last, handlers };
}

function nextIndex(key: string, index: number, count: number): number | undefined {
  if (key === "ArrowDown") return Math.min(count - 1, index + 1);
  if (key === "ArrowUp") return Math.max(0, index - 1);
  return undefined;
}

function findRow(element: EventTarget): HTMLElement | undefined {
  return (element instanceof Element && element.closest<HTMLElement>("[data-index]")) || undefined;
}

function findBox(row: HTMLElement): HTMLInputElement | null {
  return row.querySelector<HTMLInputElement>("input[type=checkbox]");
}
