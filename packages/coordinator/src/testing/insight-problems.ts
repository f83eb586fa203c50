import { INSIGHT_CHECKS } from "@tenterhook/test-support";
import { vi } from "vitest";
import type { Queries } from "../database/database.ts";
import type { InsightFolder } from "../insights/insight-folder.ts";

/** Where the roll-ups of a store are not what its events say. */
export async function insightProblems(queries: Queries): Promise<string[]> {
  const problems: string[] = [];
  for (const [sentence, text] of INSIGHT_CHECKS) {
    for (const { id } of await queries.run<{ id: string }>({ name: "", text }))
      problems.push(`${sentence}: ${id}`);
  }
  return problems;
}

const UNFOLDED = `
  SELECT events.id FROM events, settings
  WHERE settings.name = 'insights' AND (xid, events.id) > ((value->'after'->>'xid')::xid8, (value->'after'->>'id')::bigint)`;

/** Folds until no event is left. Other transactions of the server may delay the stream: then there is nothing to fold for a moment. */
export async function foldAll(folder: InsightFolder, queries: Queries): Promise<void> {
  const isFolded = async () => {
    await folder.fold();
    return (await queries.run({ name: "", text: UNFOLDED })).length === 0;
  };
  await vi.waitUntil(isFolded, { timeout: 60_000 });
}

/** Waits until every event is folded. */
export async function untilFolded(queries: Queries): Promise<void> {
  const [, text = ""] = INSIGHT_CHECKS[0] ?? [];
  await vi.waitUntil(async () => (await queries.run({ name: "", text })).length === 0, { timeout: 60_000 });
}
