import { readWrittenName, splitNames } from "@tenterhook/protocol/internal";
import { type Fragment, sql } from "../database/fragment.ts";

/** What a request says for a name that is empty: a decision about no tool, a model that the runner did not name. */
export const NAMELESS = "-";

/** What a request says for any name. */
export const ANY = "*";

/** The condition of a name, or of any name but some: `!a,b`. */
export function hasName(column: Fragment, asked: string): Fragment {
  if (!asked.startsWith("!")) return sql`${column} = ${readName(asked)}`;
  const names = splitNames(asked.slice(1)).map(readName);
  return sql`${column} <> ALL (${names}::text[])`;
}

/** The name as it is stored. */
export function readName(asked: string): string {
  return asked === NAMELESS ? "" : readWrittenName(asked);
}
