import type { KeyboardEvent } from "react";

const ROW = "[data-row]";
/** The link that Enter opens: the row's own, or its first. */
const LINKS = ["a[data-row-link]", "a"];

/** The arrow keys move between the rows of a short list, whose rows are marked with `data-row`. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const row = event.target instanceof Element ? event.target.closest(ROW) : null;
  if (step === 0 || row === null || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll(ROW)];
  const next = rows[rows.indexOf(row) + step];
  const link = LINKS.map((name) => next?.querySelector<HTMLElement>(name)).find((found) => found);
  if (!link) return;
  event.preventDefault();
  link.focus();
}
