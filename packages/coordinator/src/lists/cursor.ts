import type { pageQuery } from "@tenterhook/protocol/runs";
import { z } from "zod";
import { Problem } from "../problem.ts";

/** The position after which a page begins: the sort key of the last row of the previous page. */
export type Position = readonly string[];

export type PageQuery = z.output<typeof pageQuery>;

const position = z.array(z.string().max(1_000)).max(4);

/** A time as the store writes it; those lists are sorted by a time and an id. */
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?$/;

/** A position as text for URLs; opaque to clients. */
export function cursorOf(values: Position): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** Reads a cursor, and refuses one that is not of this list. */
export function readCursor(cursor: string | undefined, length: number): Position | undefined {
  if (cursor === undefined) return undefined;
  try {
    const values = position.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    if (values.length === length && (length === 1 || isTime(values[0]))) return values;
  } catch {
    // Refused below, like any other invalid cursor.
  }
  throw cursorProblem();
}

export function cursorProblem(): Problem {
  return new Problem("bad_request", "this is not a cursor of this list", {
    field: "cursor",
    hint: "Pass on the next_cursor of the page before, unchanged.",
  });
}

function isTime(text = ""): boolean {
  return TIME.test(text) && !Number.isNaN(Date.parse(text));
}

/** A page out of one row more than it has room for: the extra one shows that there is another page. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  positionOf: (row: T) => Position,
): { readonly rows: readonly T[]; readonly next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isLast = rows.length <= limit || last === undefined;
  return { rows: page, next_cursor: isLast ? null : cursorOf(positionOf(last)) };
}
