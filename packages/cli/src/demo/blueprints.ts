import { join } from "node:path";
import type { BlueprintInput, RunHookDefinition } from "@tenterhook/protocol/runs";

const text = { type: "string" } as const;
const object = { type: "object" } as const;

/** The parameters and the output of a start hook's agent. */
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

/** The parameters of a finish hook's agent. */
const FINISH_HOOK_PARAMETERS = {
  type: "object",
  required: ["status", "agent_name"],
  properties: { parameters: object, status: text, agent_name: text, session_id: text, run_id: text },
} as const;

const MESSAGE = { type: "object", required: ["message"], properties: { message: text } } as const;

const startHook = (agent_name: string) =>
  ({ type: "agent", agent_name, on_error: "block", timeout_seconds: 60 }) as const;

/** The named hooks of the demo. */
export const DEMO_HOOKS: Readonly<Record<string, RunHookDefinition>> = {
  audit: { type: "agent", agent_name: "audit-logger", on_error: "continue", timeout_seconds: 60 },
  "no-destruction": startHook("security-validator"),
};

const program = (folder: string, name: string) =>
  ({ type: "procedural", module: join(folder, `${name}.mjs`) }) as const;

/** The agents that run hooks. `folder` contains their programs. */
export function demoHookAgents(folder: string): readonly BlueprintInput[] {
  return [
    {
      name: "audit-logger",
      description:
        "Finish hook: writes a line for every run that has ended to audit.jsonl beside its program",
      ...program(folder, "audit-logger"),
      parameters_schema: FINISH_HOOK_PARAMETERS,
    },
    {
      name: "path-resolver",
      description: "Start hook: adds the path of a report's data to the parameters",
      ...program(folder, "path-resolver"),
      ...START_HOOK,
    },
    {
      name: "security-validator",
      description: "Start hook: refuses what would destroy data",
      ...program(folder, "security-validator"),
      ...START_HOOK,
    },
    {
      name: "four-eyes",
      description: "Start hook: asks for approval of production deployments",
      ...program(folder, "four-eyes"),
      ...START_HOOK,
    },
    {
      name: "tool-guard",
      description: "Hook on tool calls: refuses to delete files",
      ...program(folder, "tool-guard"),
    },
    {
      name: "data-processor",
      description: "Started when data-extractor has completed, with its result",
      ...program(folder, "data-processor"),
      parameters_schema: FINISH_HOOK_PARAMETERS,
      output_schema: {
        type: "object",
        required: ["processed_count", "summary"],
        properties: { processed_count: { type: "integer" }, summary: text },
      },
    },
  ];
}

/** The demo agents with hooks. The page shows their demos in the order in which they are saved. */
export function demoAgents(folder: string): readonly BlueprintInput[] {
  const audited = { on_run_finish: { $ref: "audit" } } as const;
  return [
    {
      name: "hello",
      type: "autonomous",
      description: "A scripted model that calls a tool and says hello",
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
      name: "guarded",
      type: "autonomous",
      description: "Does what it is asked, if its start hook allows it",
      model: { provider: "scripted", script: ["Done, as my start hook had nothing against it."] },
      parameters_schema: MESSAGE,
      hooks: { on_run_start: { $ref: "no-destruction" }, ...audited },
      demo: { title: "See rm -rf refused", parameters: { message: "Run rm -rf / and start over" } },
    },
    {
      name: "deployer",
      description: "Deploys to production only after approval",
      ...program(folder, "deployer"),
      parameters_schema: { type: "object", required: ["environment"], properties: { environment: text } },
      hooks: { on_run_start: startHook("four-eyes"), ...audited },
      demo: { title: "Approve a deployment", parameters: { environment: "production" } },
    },
    {
      name: "release-notes",
      type: "autonomous",
      description: "Works in steps with tools; a hook checks every call, and refuses one",
      system_prompt: "You prepare releases.",
      model: {
        provider: "scripted",
        script: [
          {
            text: "First I see what has changed.",
            toolCalls: [{ name: "Shell", input: { command: "sleep 0.4 && echo 12 commits since 1.3" } }],
          },
          {
            text: "Now the tests and the linter, side by side.",
            toolCalls: [
              { name: "Shell", input: { command: "sleep 0.9 && echo 214 tests passed" } },
              { name: "Shell", input: { command: "sleep 0.5 && echo no findings" } },
            ],
          },
          {
            text: "I clear the old build away.",
            toolCalls: [{ name: "Shell", input: { command: "rm -rf build" } }],
          },
          "1.4 is ready: 12 commits, all tests pass. The old build is still there, because I may not remove it.",
        ],
      },
      tools: ["Shell"],
      parameters_schema: MESSAGE,
      hooks: {
        on_tool_call: { type: "agent", agent_name: "tool-guard", on_error: "block", timeout_seconds: 30 },
        ...audited,
      },
      demo: { title: "Check every tool call", parameters: { message: "Prepare 1.4" } },
    },
    {
      name: "report-generator",
      description: "Needs a path that callers do not know; its start hook adds it",
      ...program(folder, "report-generator"),
      parameters_schema: {
        type: "object",
        required: ["report_id"],
        properties: { report_id: text, resolved_path: text },
      },
      hooks: { on_run_start: startHook("path-resolver"), ...audited },
      demo: { title: "Let a hook add a parameter", parameters: { report_id: "R123" } },
    },
    {
      name: "data-extractor",
      description: "Finds records; when it has completed, data-processor continues with them",
      ...program(folder, "data-extractor"),
      parameters_schema: { type: "object", properties: { source: text } },
      output_schema: {
        type: "object",
        required: ["records", "source"],
        properties: { records: { type: "array" }, source: text },
      },
      hooks: { on_run_finish: { type: "agent", agent_name: "data-processor", on_error: "block" } },
    },
  ];
}
