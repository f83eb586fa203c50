import { z } from "zod";
import { NOT_BY } from "../outcomes.ts";
import type { RunHookType } from "./blueprint.ts";
import { record } from "./shared-schemas.ts";

const about = {
  agent_name: z.string(),
  session_id: z.string(),
  run_id: z.string(),
  parameters: record,
  trial: z
    .literal(true)
    .optional()
    .describe("a person tries the hook: there is no run; not for an agent whose schema refuses it"),
};

const ending = {
  ...about,
  result_text: z.string().nullable(),
  result_data: record.nullable(),
  status: z.enum(["completed", "failed", "stopped"]),
  error: z.string().nullable().describe("null unless it failed"),
  stop_reason: z
    .string()
    .optional()
    .describe("why it was stopped; only for stopped runs, and not for an agent whose schema refuses it"),
};

const block = z.object({ action: z.literal("block"), block_reason: z.string().min(1) });
const ask = z.object({
  action: z.literal("ask"),
  reason: z.string().min(1),
  not_by: z
    .literal(NOT_BY)
    .optional()
    .describe("`requester`: another person than the one who started the run"),
});

/** Hooks that only observe may answer anything. */
const acknowledgement = z.unknown();

/** What every type of run hook is given, and what it must answer. */
export const RUN_HOOK_CONTRACTS = {
  on_run_start: {
    input: z.object(about),
    output: z.discriminatedUnion("action", [
      z.object({ action: z.literal("continue"), parameters: record.optional() }),
      block,
      ask,
    ]),
  },
  on_tool_call: {
    input: z.object({ ...about, tool_name: z.string(), tool_input: record, tool_use_id: z.string() }),
    output: z.discriminatedUnion("action", [
      z.object({ action: z.literal("continue"), tool_input: record.optional() }),
      block,
      ask,
    ]),
  },
  on_result: {
    input: z.object({ ...about, result_text: z.string().nullable(), result_data: record.nullable() }),
    output: z.discriminatedUnion("action", [
      z.object({
        action: z.literal("continue"),
        result_text: z.string().nullable().optional(),
        result_data: record.nullable().optional(),
      }),
      block,
    ]),
  },
  on_run_finish: { input: z.object(ending), output: acknowledgement },
  on_run_error: { input: z.object(ending), output: acknowledgement },
  on_timeout: {
    input: z.object({ ...about, timeout_seconds: z.number().positive() }),
    output: acknowledgement,
  },
} as const satisfies Record<RunHookType, { readonly input: z.ZodType; readonly output: z.ZodType }>;

/** Whether hooks of a type are awaited by default. */
export const DEFAULT_MODES = {
  on_run_start: "sync",
  on_tool_call: "sync",
  on_result: "sync",
  on_run_finish: "async",
  on_run_error: "async",
  on_timeout: "async",
} as const satisfies Record<RunHookType, "sync" | "async">;
