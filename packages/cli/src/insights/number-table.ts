import { shortened } from "@tenterhook/internal";
import { bold, type Cell, oneLine, plain, type Style, table } from "../terminal.ts";

/** A column of a table: names on the left, numbers right-aligned. */
export interface TableColumn<R> {
  readonly title: string;
  readonly isName?: boolean;
  /** Left out, the first of them first, until the table fits. */
  readonly isOptional?: boolean;
  readonly text: (row: R) => string;
  readonly style?: (row: R) => Style;
}

const GAP = 2;
/** So much of the first column is shown before optional columns are. */
const MAX_NAME = 28;
const MIN_NAME = 12;

/** Rows with a name and numbers. In a terminal of `width` characters, optional columns are left out and the first is cut off to fit. */
export function numberTable<R>(
  columns: readonly TableColumn<R>[],
  rows: readonly R[],
  width = Number.POSITIVE_INFINITY,
): string {
  const widths = columns.map((column) =>
    Math.max(column.title.length, ...rows.map((row) => oneLine(column.text(row)).length)),
  );
  const kept = chooseColumns(columns, widths, width);
  const nameWidth = Math.max(MIN_NAME, width - restWidth(kept, widths));
  const cell = (text: string, index: number, style: Style): Cell => {
    if (index === 0) return { text: shortened(text, nameWidth), style };
    return { text: columns[index]?.isName === true ? text : text.padStart(widths[index] ?? 0), style };
  };
  return table([
    kept.map((index) => cell(columns[index]?.title ?? "", index, bold)),
    ...rows.map((row) =>
      kept.map((index) => {
        const { text, style } = columns[index] as TableColumn<R>;
        return cell(oneLine(text(row)), index, style?.(row) ?? plain);
      }),
    ),
  ]);
}

/** The indices of the columns that are shown. */
function chooseColumns(
  columns: readonly { readonly isOptional?: boolean }[],
  widths: readonly number[],
  width: number,
): readonly number[] {
  const kept = [...columns.keys()];
  const nameWidth = Math.min(widths[0] ?? 0, MAX_NAME);
  while (nameWidth + restWidth(kept, widths) > width) {
    const optional = kept.findIndex((index) => columns[index]?.isOptional === true);
    if (optional === -1) break;
    kept.splice(optional, 1);
  }
  return kept;
}

/** What the columns after the first take. */
function restWidth(kept: readonly number[], widths: readonly number[]): number {
  return kept.slice(1).reduce((sum, index) => sum + GAP + (widths[index] ?? 0), 0);
}

const COUNT = new Intl.NumberFormat("en");

/** `4,310` */
export function formatCount(number: number): string {
  return COUNT.format(number);
}

/** An estimated duration, with as many digits as it is worth: `19 ms`, `1.3 s`, `4 min`. */
export function formatEstimate(ms: number): string {
  const rounded = Number(ms.toPrecision(2));
  if (rounded < 1_000) return `${rounded} ms`;
  if (rounded < 120_000) return `${rounded / 1_000} s`;
  return `${formatCount(Math.round(ms / 60_000))} min`;
}
