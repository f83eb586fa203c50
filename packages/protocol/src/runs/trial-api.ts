import { z } from "zod";
import { agentName, RUN_HOOK_TYPES } from "./blueprint.ts";
import { record } from "./shared-schemas.ts";

const subject = {
  input: record
    .optional()
    .describe("an input of your own; fields of the hook's input that it lacks are filled with samples"),
  run_id: z.string().max(100).optional().describe("a past run: the input is what the hook would get of it"),
};

interface Subject {
  readonly input?: unknown;
  readonly run_id?: unknown;
}

const hasOne = ({ input, run_id }: Subject) => (input === undefined) !== (run_id === undefined);
const INPUT_OR_RUN = { path: ["input"], message: "give an input or a run_id, and not both" };

const type = z.enum(RUN_HOOK_TYPES);

/** What a named hook is tried against. It may serve several types, so the type is given. */
export const hookTrialRequest = z.strictObject({ hook_type: type, ...subject }).refine(hasOne, INPUT_OR_RUN);

/** What the hook of an agent is tried against. */
export const agentHookTrialRequest = z.strictObject(subject).refine(hasOne, INPUT_OR_RUN);

export const agentHookParameters = z.strictObject({ name: agentName, type });

/** A hook that was called to see what it answers. Nothing but its target was affected. */
export const hookTrial = z.strictObject({
  trial_id: z.string(),
  hook_type: type,
  hook_name: z.string().nullable().describe("of a named hook"),
  agent_name: z.string().nullable().describe("the agent whose hook was tried, or whose run was the input"),
  target_type: z.enum(["agent", "http"]),
  target_name: z.string(),
  mode: z.enum(["sync", "async"]),
  on_error: z.enum(["block", "continue"]),
  input: record.describe("what the target was sent; `trial` is true in it"),
  reply: z.unknown().describe("what the target answered; null for nothing"),
  outcome: z.enum(["proceed", "block", "ask", "failed"]),
  reason: z.string().nullable().describe("of a block or a question"),
  error: z.string().nullable(),
  timed_out: z.boolean(),
  changes: z
    .strictObject({ before: record, after: record })
    .nullable()
    .describe("what the hook would change of the run; null for nothing"),
  meaning: z.string().describe("what that would mean for a run, as a sentence"),
  http_status: z.int().nullable().describe("of the target's last answer"),
  attempts: z.int().nullable().describe("how often an http target was called"),
  run_id: z.string().nullable().describe("the run of the hook's agent, which is marked as a trial"),
  duration_ms: z.int().min(0),
});

export type HookTrial = z.infer<typeof hookTrial>;

/** What is stored of a trial: neither its input nor the reply. */
export const trialSummary = hookTrial
  .pick({
    trial_id: true,
    hook_type: true,
    agent_name: true,
    target_type: true,
    target_name: true,
    reason: true,
    error: true,
    run_id: true,
    duration_ms: true,
  })
  .extend({
    outcome: z
      .enum(["proceed", "block", "ask", "failed", "abandoned"])
      .describe("abandoned: the client went away"),
    by: z.string().describe("the name of the token or person"),
    created_at: z.string().describe("when it had ended"),
  });

export type TrialSummary = z.infer<typeof trialSummary>;

export const trialsQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(100).default(10) });
export const trialsPage = z.strictObject({ trials: z.array(trialSummary) });
