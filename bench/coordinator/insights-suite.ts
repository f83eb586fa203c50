import type { Suite } from "../measure.ts";
import { foldingEmbedded, foldingOnPostgres } from "./folding.ts";
import { insightsEmbedded, insightsOnPostgres } from "./insights.ts";

/** What the sums of insights cost the work of runs. */
export const foldingSuite: Suite = { foldingOnPostgres, foldingEmbedded };

/** How long insights take after a million runs. */
export const insightsSuite: Suite = { insightsOnPostgres, insightsEmbedded };
