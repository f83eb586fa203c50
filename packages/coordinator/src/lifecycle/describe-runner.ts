import type { Queries } from "../database/database.ts";
import { rowReader } from "../database/row-reader.ts";

const readName = rowReader<{ readonly name: string }>({
  name: "name-of-runner",
  text: "SELECT name FROM runners WHERE id = $1",
});

/** A runner in a message for people: `the runner "build-3"`. One that is no longer stored has only its id. */
export async function describeRunner(queries: Queries, id: string | null): Promise<string> {
  const runner = id === null ? undefined : await readName(queries, id);
  return `the runner ${runner === undefined ? id : JSON.stringify(runner.name)}`;
}
