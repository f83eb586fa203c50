import { z } from "zod";
import { Problem } from "../problem.ts";

/** The place after which a page begins: what the list is sorted by, of the last row of the page before. */
export type Place = readonly string[];

const place = z.array(z.string().max(200)).max(4);

/** A time as the store writes it; those lists are sorted by a time and an id. */
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?$/;

/** A place as a word for addresses; clients pass it on without looking into it. */
export function cursorOf(values: Place): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** Reads a cursor; refuses what is none of this list's. */
export function readCursor(cursor: string | undefined, length: number): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    const values = place.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    if (values.length === length && (length === 1 || isTime(values[0]))) return values;
  } catch {
    // Told below, as any other cursor that makes no sense.
  }
  throw new Problem("bad_request", "this is no cursor of this list", {
    field: "cursor",
    hint: "Pass on the next_cursor of the page before, unchanged.",
  });
}

function isTime(text = ""): boolean {
  return TIME.test(text) && !Number.isNaN(Date.parse(text));
}

/** A page out of one row more than it has room for: the extra one says that there is another page. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  placeOf: (row: T) => Place,
): { readonly rows: readonly T[]; readonly next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isLast = rows.length <= limit || last === undefined;
  return { rows: page, next_cursor: isLast ? null : cursorOf(placeOf(last)) };
}
