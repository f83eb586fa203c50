import { z } from "zod";
import { BUCKET_COUNT } from "./duration-buckets.ts";

/** What one call of a hook amounted to. */
export const TALLY_OUTCOMES = [
  "passed",
  "added_context",
  "changed",
  "blocked",
  "kept_running",
  "asked",
  "stopped",
  "skipped",
  "recovered",
  "failed",
  "objected_late",
  "started_in_background",
  "would_change",
  "would_block",
  "would_ask",
  "would_stop",
  "would_skip",
  "would_recover",
] as const;

export type TallyOutcome = (typeof TALLY_OUTCOMES)[number];

/** So many rows fit into one report; a runner with more of them sends several. */
export const MAX_TALLIES = 100;
/** So many tools of a run are counted separately: models invent names. */
export const MAX_TALLIED_TOOLS = 32;
/** The longest name in a row. */
export const MAX_TALLIED_NAME = 200;
/** The name under which the tools beyond the limit are counted. No tool has it: a name has no brackets. */
export const OTHER_TOOLS = "(other)";

const name = z.string().max(MAX_TALLIED_NAME);
const count = z.int().min(0).max(1_000_000_000);

/** The calls of one hook that had the same outcome, for one event and one tool. */
export const hookTally = z.object({
  hook: name,
  event: name.describe("the agent's event that the hook is on"),
  tool: name
    .optional()
    .describe(`of a tool's event; \`${OTHER_TOOLS}\` for tools beyond the first ${MAX_TALLIED_TOOLS}`),
  outcome: z
    .string()
    .regex(/^[a-z_]{1,40}$/)
    .describe(
      `one of ${TALLY_OUTCOMES.map((outcome) => `\`${outcome}\``).join(", ")}; newer runners may know more`,
    ),
  count,
  duration_ms: z.number().min(0).max(1e15).describe("of all these calls together"),
  durations: z
    .array(count)
    .max(BUCKET_COUNT)
    .readonly()
    .describe("how many calls fell into each bucket of durations; without the zeros at its end"),
});

export type HookTally = z.output<typeof hookTally>;
