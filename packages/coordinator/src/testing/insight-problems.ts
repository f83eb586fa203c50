import { INSIGHT_CHECKS } from "@tenterhook/test-support";
import { vi } from "vitest";
import type { Queries } from "../database/database.ts";

/** Where the roll-ups of a store are not what its events say. */
export async function insightProblems(queries: Queries): Promise<string[]> {
  const problems: string[] = [];
  for (const [sentence, text] of INSIGHT_CHECKS) {
    for (const { id } of await queries.run<{ id: string }>({ name: "", text }))
      problems.push(`${sentence}: ${id}`);
  }
  return problems;
}

/** Waits until every event is folded. */
export async function untilFolded(queries: Queries): Promise<void> {
  const [, text = ""] = INSIGHT_CHECKS[0] ?? [];
  await vi.waitUntil(async () => (await queries.run({ name: "", text })).length === 0, { timeout: 60_000 });
}
