import type { Queries, Statement } from "./database.ts";

/** A function that reads the one row of an id or a name; `undefined` when there is none. */
export function rowReader<R>(statement: Statement): (queries: Queries, id: string) => Promise<R | undefined> {
  return async (queries, id) => (await queries.run<R>(statement, [id]))[0];
}
