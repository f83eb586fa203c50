import type { FoundText } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { findPassage } from "../search/found-text.ts";
import { type RunText, smallTextColumns } from "../search/run-text.ts";

/** How many runs are read at once; between two reads the process does other work. */
const AT_ONCE = 25;
/** Larger parameters and results are not read again for a passage. */
const MAX_JSON_BYTES = 64_000;

const TEXTS: Statement = {
  name: "texts-of-found-runs",
  text: `SELECT id, ${smallTextColumns(MAX_JSON_BYTES)} FROM runs WHERE id = ANY ($1::text[])`,
};

/** The passages in which runs contain the words of a search, by their ids. */
export async function readPassages(
  queries: Queries,
  runs: readonly { readonly id: string }[],
  words: readonly string[],
): Promise<ReadonlyMap<string, FoundText>> {
  const passages = new Map<string, FoundText>();
  for (let first = 0; first < runs.length; first += AT_ONCE) {
    const ids = runs.slice(first, first + AT_ONCE).map(({ id }) => id);
    for (const row of await queries.run<RunText & { readonly id: string }>(TEXTS, [ids])) {
      const passage = findPassage(row, words);
      if (passage !== null) passages.set(row.id, passage);
    }
  }
  return passages;
}
