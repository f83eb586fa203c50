import { z } from "zod";
import { hookKey } from "./hook-results.ts";
import { MAX_TALLIED_NAME, TALLY_OUTCOMES } from "./hook-tallies.ts";
import { NOT_A_TIME } from "./shared-schemas.ts";

/** The periods up to now that can be asked for by name. */
export const INSIGHT_RANGES = ["hour", "day", "week", "month"] as const;
export type InsightRange = (typeof INSIGHT_RANGES)[number];

/** The longest period. */
export const MAX_INSIGHT_DAYS = 400;

const time = z.iso.datetime({ offset: true });
const askedTime = z.iso.datetime({ offset: true, error: NOT_A_TIME });
const name = z.string().min(1).max(MAX_TALLIED_NAME);

export const insightsQuery = z
  .strictObject({
    range: z.enum(INSIGHT_RANGES).optional().describe("the last hour, 24 hours, 7 or 30 days. Default: day"),
    since: askedTime.optional().describe("instead of a range; rounded to 5 or 15 minutes"),
    until: askedTime.optional().describe("default: now"),
    timezone: z
      .string()
      .max(100)
      .default("UTC")
      .describe("an IANA name such as `Europe/Berlin`, in which days and hours begin"),
    agent: name.optional(),
    hook: name.optional().describe("applies to decisions and reasons"),
    hook_key: hookKey
      .optional()
      .describe(
        "one hook in use, by its key: hooks of several kinds may have the same name. Applies to decisions and reasons",
      ),
    tool: name.optional().describe("applies to decisions; `-` for those that are about no tool"),
    model: name.optional().describe("applies to tokens; `-` for a model that the runner did not name"),
  })
  .refine(({ range, since, until }) => range === undefined || (since ?? until) === undefined, {
    path: ["range"],
    message: "cannot be combined with since and until; leave out one or the other",
  })
  .refine(({ since, until }) => until === undefined || since !== undefined, {
    path: ["until"],
    message: "needs since, where the period begins",
  });

const count = z.int();
const milliseconds = z.number().nullable();

const estimates = z
  .object({
    count: count.describe("how many were measured"),
    p50_ms: milliseconds,
    p95_ms: milliseconds,
  })
  .describe("percentiles are estimates from buckets; null when nothing was measured");

const runCounts = z.object({
  created: count,
  started: count,
  completed: count,
  failed: count,
  stopped: count,
});

const removed = runCounts
  .optional()
  .describe(
    "how many of these runs have been removed since, by retention or with their session; absent: none",
  );

const decisions = z
  .record(z.string(), count)
  .describe(
    `calls of hooks by outcome: ${TALLY_OUTCOMES.join(", ")}. Absent ones are 0; newer runners may report others`,
  );

const usage = z.object({
  calls: count.describe("steps with model calls"),
  input_tokens: count,
  output_tokens: count,
  cost: z.number().describe("in the currency of the prices, by the prices when it was counted"),
  unpriced_calls: count.describe("calls of models without a price, which `cost` lacks"),
});

const period = z.object({ since: time, until: time });

const totals = z.object({
  runs: runCounts,
  removed,
  time_to_start: estimates.describe("from the creation of a run to its first start; estimates from buckets"),
  duration: estimates.describe("from the first start of a run to its end; estimates from buckets"),
  decisions,
  hook_duration: estimates.describe("of calls of hooks; estimates from buckets"),
  hook_ms: z.number().describe("the time of all calls of hooks together"),
  usage,
  busy_ms: z.int().describe("how long runners executed runs; added when an attempt has ended"),
});

const calledHook = {
  hook: z.string(),
  kind: z.string().describe("`named` or `inline` for a hook on runs, `runner` for one on a runner"),
  event: z.string(),
};

export const insights = z.object({
  ...period.shape,
  timezone: z.string().describe("the one that was asked for; UTC where only sums of UTC days are left"),
  step: z.enum(["5_minutes", "15_minutes", "hour", "day"]).describe("the length of the steps of the series"),
  before: period.describe("the period before, of the same length"),
  recorded_since: time.nullable().describe("from when there are numbers"),
  passes_since: time
    .nullable()
    .describe(
      "from when calls of hooks on runners that passed are counted; null when no runner has reported any",
    ),
  behind_seconds: z.number().describe("the age of the oldest event that is not counted yet; 0 when all are"),
  currency: z.string(),
  current: totals,
  previous: totals,
  series: z.array(
    z.object({
      since: time,
      runs: runCounts,
      removed,
      decisions,
      usage,
    }),
  ),
  agents: z.array(
    z.object({
      ...{ agent: z.string(), runs: runCounts, removed, time_to_start: estimates, duration: estimates },
      duration_ms: z
        .number()
        .describe("from the first start of each run to its end, together; an estimate from buckets"),
    }),
  ),
  hooks: z.array(
    z.object({ ...calledHook, calls: count, decisions, duration: estimates, duration_ms: z.number() }),
  ),
  decisions_by_agent: z.array(z.object({ agent: z.string(), calls: count, decisions })),
  decisions_by_tool: z.array(
    z.object({ tool: z.string().describe('`""`: no tool'), calls: count, decisions }),
  ),
  models: z.array(z.object({ agent: z.string(), model: z.string(), ...usage.shape })),
  runners: z.array(z.object({ runner: z.string(), busy_ms: count, attempts: count })),
  reasons: z.array(
    z.object({
      ...calledHook,
      outcome: z.string(),
      reason: z.string().describe('`""`: reasons beyond the limit of a slot, together'),
      count,
      example_runs: z.array(z.string()),
    }),
  ),
});

export type Insights = z.output<typeof insights>;
export type InsightTotals = z.output<typeof totals>;
