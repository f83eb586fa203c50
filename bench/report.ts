import type { Row } from "./measure.ts";

/** A bar missed by more than this fails the run; less is noise. */
const TOLERANCE = 4 / 3;

export type Result = "ok" | "missed" | "failed" | "no bar";

export function resultOf({ ours, theirs, bar }: Row): Result {
  if (bar === undefined) return "no bar";
  const excess = "most" in bar ? ours / theirs / bar.most : bar.least / (theirs / ours);
  if (excess <= 1) return "ok";
  return excess <= TOLERANCE ? "missed" : "failed";
}

/** One row as a line, printed while others are still being measured. */
export function line(row: Row): string {
  const bar = row.bar === undefined ? "" : ` [${limit(row)}: ${resultOf(row)}]`;
  return `${row.what}, against ${row.against}: ${ratio(row)}${bar}`;
}

/** The rows as an aligned text table. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.against,
    amount(row.ours, row),
    amount(row.theirs, row),
    ratio(row),
    limit(row),
    resultOf(row),
  ]);
  const head = ["case", "against", "ours", "theirs", "ratio", "bar", ""];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const aligned = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [aligned(head), aligned(widths.map((width) => "-".repeat(width))), ...cells.map(aligned)].join("\n");
}

function ratio({ ours, theirs, bar }: Row): string {
  if (bar !== undefined && "least" in bar) return `${(theirs / ours).toFixed(2)}x faster`;
  return `${(ours / theirs).toFixed(2)}x`;
}

function limit({ bar }: Row): string {
  if (bar === undefined) return "";
  return "most" in bar ? `<= ${bar.most}x` : `>= ${bar.least}x faster`;
}

function amount(value: number, { unit }: Row): string {
  return unit === "bytes" ? `${(value / 1_048_576).toFixed(2)} MiB` : duration(value);
}

function duration(ns: number): string {
  if (ns < 10_000) return `${ns.toFixed(1)} ns`;
  if (ns < 10_000_000) return `${(ns / 1_000).toFixed(1)} us`;
  return `${(ns / 1_000_000).toFixed(1)} ms`;
}
