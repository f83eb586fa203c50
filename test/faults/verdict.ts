import { readFile } from "node:fs/promises";
import type { Database } from "@tenterhook/coordinator";
import { storeProblems } from "./checks.ts";
import type { ProcessFleet } from "./process-fleet.ts";

const RUNS = { name: "", text: "SELECT id, kind, event_count FROM runs" };

/** All problems after all runs should have ended: in the store, the stream and the work. */
export async function problemsOf(fleet: ProcessFleet, database: Database): Promise<readonly string[]> {
  const { client, follower } = fleet;
  const runs = await database.run<{ id: string; kind: string; event_count: number }>(RUNS);
  const stored = new Map(runs.map(({ id, event_count }) => [id, event_count]));
  const acknowledged = [...client.acknowledged.values()].map(({ run_id }) => run_id);
  const started = runs.filter(({ kind }) => kind === "client").length;
  return [
    ...client.problems,
    ...follower.problems,
    ...(await storeProblems(database)),
    ...acknowledged.filter((id) => !stored.has(id)).map((id) => `acknowledged but missing: ${id}`),
    ...(started === acknowledged.length ? [] : [`${acknowledged.length} were requested, ${started} started`]),
    ...[...stored]
      .filter(([id, count]) => follower.seen.get(id)?.length !== count)
      .map(
        ([id, count]) => `of ${id} ${follower.seen.get(id)?.length} events were received, ${count} stored`,
      ),
    ...(await doneTwice(fleet.ledger)),
    ...fleet.project.problems,
  ];
}

/** Work that an agent did twice in one attempt. */
async function doneTwice(ledger: string): Promise<readonly string[]> {
  const lines = (await readFile(ledger, "utf8")).trim().split("\n");
  return lines.filter((line, index) => lines.indexOf(line) < index).map((line) => `done twice: ${line}`);
}
