import { insightsQuery, insights as insightsSchema } from "@tenterhook/protocol/runs";
import { readInsights } from "../../insights/read-insights.ts";
import { type Operation, operation } from "../operation.ts";
import type { Services } from "../services.ts";

/** What hooks decide and cost, and how runs go, over time. */
export function insights({ coordinator: { database }, prices }: Services): Operation[] {
  const read = operation(
    "GET /insights",
    {
      permission: "read",
      summary: "Read sums over runs, decisions of hooks, tokens and runners for a period and the one before",
      query: insightsQuery,
      responses: { 200: insightsSchema },
    },
    async ({ query }) => ({ status: 200, body: await readInsights(database, query, prices) }),
  );
  return [read];
}
