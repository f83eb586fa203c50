import { join } from "node:path";
import type { BlueprintInput } from "@tenterhook/protocol/runs";

const text = { type: "string" } as const;
const object = { type: "object" } as const;

/** What a start hook's agent is given, and what it answers. */
const START_HOOK = {
  parameters_schema: {
    type: "object",
    required: ["parameters", "agent_name"],
    properties: { parameters: object, agent_name: text, session_id: text, run_id: text },
  },
  output_schema: {
    type: "object",
    required: ["action"],
    properties: {
      action: { enum: ["continue", "block", "ask"] },
      parameters: object,
      block_reason: text,
      reason: text,
    },
  },
} as const;

/** What a finish hook's agent is given. */
const FINISH_HOOK_PARAMETERS = {
  type: "object",
  required: ["status", "agent_name"],
  properties: { parameters: object, status: text, agent_name: text, session_id: text, run_id: text },
} as const;

const MESSAGE = { type: "object", required: ["message"], properties: { message: text } } as const;

const startHook = (agent_name: string) =>
  ({ type: "agent", agent_name, on_error: "block", timeout_seconds: 60 }) as const;

/** A few agents with hooks at work, those that serve as hooks before those that have them. `folder` holds their programs. */
export function demoBlueprints(folder: string): readonly BlueprintInput[] {
  const program = (name: string) => ({ type: "procedural", module: join(folder, `${name}.mjs`) }) as const;
  const audited = {
    on_run_finish: { type: "agent", agent_name: "audit-logger", on_error: "continue" },
  } as const;
  return [
    {
      name: "audit-logger",
      description:
        "Finish hook: keeps a line for every run that has ended, in audit.jsonl beside its program",
      ...program("audit-logger"),
      parameters_schema: FINISH_HOOK_PARAMETERS,
    },
    {
      name: "path-resolver",
      description: "Start hook: knows where a report's data is, and adds it to the parameters",
      ...program("path-resolver"),
      ...START_HOOK,
    },
    {
      name: "security-validator",
      description: "Start hook: refuses what would destroy data",
      ...program("security-validator"),
      ...START_HOOK,
    },
    {
      name: "four-eyes",
      description: "Start hook: lets a person decide about production",
      ...program("four-eyes"),
      ...START_HOOK,
    },
    {
      name: "data-processor",
      description: "Started when data-extractor has completed, with what that found",
      ...program("data-processor"),
      parameters_schema: FINISH_HOOK_PARAMETERS,
      output_schema: {
        type: "object",
        required: ["processed_count", "summary"],
        properties: { processed_count: { type: "integer" }, summary: text },
      },
    },
    {
      name: "hello",
      type: "autonomous",
      description: "An agent whose model plays a script: it looks around and says hello",
      system_prompt: "You are friendly.",
      model: {
        provider: "scripted",
        script: [
          {
            text: "Let me see where I am.",
            toolCalls: [{ name: "Shell", input: { command: "uname -s && pwd" } }],
          },
          "Hello! My model plays a script, so I say this to everybody. My tools, my hooks and this run are real.",
        ],
      },
      tools: ["Shell"],
      parameters_schema: MESSAGE,
      hooks: audited,
    },
    {
      name: "report-generator",
      description: "Needs a path, which callers do not know: its start hook adds it",
      ...program("report-generator"),
      parameters_schema: {
        type: "object",
        required: ["report_id"],
        properties: { report_id: text, resolved_path: text },
      },
      hooks: { on_run_start: startHook("path-resolver"), ...audited },
    },
    {
      name: "guarded",
      type: "autonomous",
      description: "Does what it is told, when its start hook lets it",
      model: { provider: "scripted", script: ["Done, as my start hook had nothing against it."] },
      parameters_schema: MESSAGE,
      hooks: { on_run_start: startHook("security-validator"), ...audited },
    },
    {
      name: "data-extractor",
      description: "Finds records; when it has completed, data-processor goes on with them",
      ...program("data-extractor"),
      parameters_schema: { type: "object", properties: { source: text } },
      output_schema: {
        type: "object",
        required: ["records", "source"],
        properties: { records: { type: "array" }, source: text },
      },
      hooks: { on_run_finish: { type: "agent", agent_name: "data-processor", on_error: "block" } },
    },
    {
      name: "deployer",
      description: "Deploys to production only when a person has said yes",
      ...program("deployer"),
      parameters_schema: { type: "object", required: ["environment"], properties: { environment: text } },
      hooks: { on_run_start: startHook("four-eyes"), ...audited },
    },
  ];
}
