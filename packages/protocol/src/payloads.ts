import { z } from "zod";
import type { EventName } from "./events.ts";

const record = z.record(z.string(), z.unknown());
const count = z.int().nonnegative();

/** A message of the conversation. Providers add fields of their own; hooks keep what they do not know. */
export const message = z.looseObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.unknown(),
});

/** A tool as the model sees it. */
export const toolDefinition = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.unknown().optional(),
});

export const toolUse = z.object({ id: z.string(), name: z.string(), input: record });

export const usage = z.object({ inputTokens: count, outputTokens: count });

/** An error as data. Every JavaScript `Error` is one; in process the `Error` itself is passed. */
export const errorInfo = z.object({
  name: z.string(),
  message: z.string(),
  code: z.string().optional(),
  stack: z.string().optional(),
});

/** The configuration of an agent that is known by name. */
export const agentInfo = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  modelName: z.string().optional(),
  instructions: z.string().optional(),
  toolNames: z.array(z.string()).optional(),
  mcpServerNames: z.array(z.string()).optional(),
  preHookNames: z.array(z.string()).optional(),
  postHookNames: z.array(z.string()).optional(),
});

export const sessionInfo = z.object({
  id: z.string(),
  userId: z.string().optional(),
  metadata: record.optional(),
});

export const step = z.object({
  index: count.describe("0-based"),
  text: z.string().optional(),
  toolCalls: z.array(toolUse).optional(),
  hasErrors: z.boolean().optional(),
});

/** What an agent knows of itself while it runs. `metadata` is that of the run. */
export const agentState = z.object({
  agentId: z.string(),
  parentAgentId: z.string().nullish(),
  stepCount: count,
  metadata: record.optional(),
  currentStep: step.nullish(),
});

export const run = z.object({
  id: z.string().optional(),
  status: z.enum(["completed", "failed", "stopped"]).optional(),
  durationMs: z.number().nonnegative(),
  stepCount: count.optional(),
  usage: usage.optional(),
  output: z.unknown().optional(),
});

const base = z.object({
  sessionId: z.string().optional(),
  timestamp: z.string().describe("ISO 8601").optional(),
  workDir: z.string().optional(),
  runId: z.string().optional(),
  agent: agentInfo.optional(),
  session: sessionInfo.optional(),
  state: agentState.optional(),
  iteration: z.int().positive().describe("1-based").optional(),
  maxIterations: z.int().positive().optional(),
  context: record.describe("anything else the host wants hooks to see").optional(),
});

const tool = base.extend({
  toolName: z.string(),
  toolAliases: z
    .array(z.string())
    .describe("other names that matchers find the tool by, such as Shell for a tool that is given a command")
    .optional(),
  toolInput: record,
  toolUseId: z.string().optional(),
});

const llm = base.extend({
  messages: z.array(message),
  tools: z.array(toolDefinition).optional(),
  systemPrompt: z.string().optional(),
  model: z.string().optional(),
});

const stepping = base.extend({
  stepIndex: count.describe("0-based").optional(),
  messages: z.array(message),
});

const stopping = base.extend({
  stopReason: z.string().describe("no_tool_calls, tool_rejected, max_steps, …"),
  stepCount: count.optional(),
  finalMessage: message.nullish(),
  stopHookActive: z.boolean().describe("a hook already held the agent in this turn").optional(),
});

const subagent = base.extend({
  subagentName: z.string(),
  subagentType: z.string().optional(),
  subagentId: z.string().optional(),
  taskDescription: z.string(),
});

/** What the coordinator knows of a run; hook agents and webhooks receive it whole. */
const coordinated = z.object({
  agentName: z.string(),
  sessionId: z.string(),
  runId: z.string(),
  parameters: record,
});

const coordinatedResult = coordinated.extend({
  resultText: z.string().nullable(),
  resultData: record.nullable(),
});

const coordinatedEnd = coordinatedResult.extend({
  status: z.enum(["completed", "failed", "stopped"]),
  error: z.string().nullable(),
});

/** The payload of every event, in TypeScript's camelCase; the wire's snake_case is derived from it. */
export const payloadSchemas = {
  session_start: base.extend({
    model: z.string().optional(),
    args: record.optional(),
    source: z.string().describe("startup, resume, …").optional(),
  }),
  session_end: base.extend({
    durationSeconds: z.number().nonnegative().optional(),
    totalSteps: count.optional(),
    exitReason: z.string().optional(),
  }),
  before_agent: base.extend({ message: z.string() }),
  after_agent: base.extend({
    status: z.enum(["completed", "failed", "stopped"]),
    userMessage: z.string().optional(),
    finalMessage: message.nullish(),
    run: run.optional(),
    error: errorInfo.optional(),
    gateUnsatisfied: z.boolean().optional(),
  }),
  before_step: stepping,
  after_step: stepping.extend({
    step: step.optional(),
    toolCalls: z
      .array(z.object({ id: z.string().optional(), name: z.string(), input: record, result: z.unknown() }))
      .optional(),
    completedWithText: z.boolean().optional(),
    status: z.enum(["completed", "skipped", "failed", "stopped"]).optional(),
  }),
  before_llm: llm,
  after_llm: llm.extend({
    text: z.string(),
    toolUses: z.array(toolUse),
    usage: usage.optional(),
    durationMs: z.number().nonnegative().optional(),
    status: z.enum(["completed", "skipped", "failed", "stopped"]).optional(),
  }),
  before_tool: tool,
  after_tool: tool.extend({
    toolResult: z.unknown(),
    durationMs: z.number().nonnegative().optional(),
    status: z.enum(["completed", "skipped"]).optional(),
  }),
  after_tool_failure: tool.extend({
    toolResult: z.unknown().optional(),
    error: errorInfo,
    durationMs: z.number().nonnegative().optional(),
    status: z.enum(["failed", "blocked"]).optional(),
  }),
  before_stop: stopping,
  subagent_start: subagent,
  subagent_stop: subagent.extend({
    stopReason: z.string().optional(),
    finalMessage: message.nullish(),
    result: z.unknown().optional(),
    stopHookActive: z.boolean().optional(),
  }),
  pre_compact: base.extend({
    trigger: z.string().describe("auto, manual").optional(),
    messages: z.array(message).optional(),
    tokenCount: count.optional(),
  }),
  permission_request: tool,
  notification: base.extend({
    message: z.string(),
    title: z.string().optional(),
    notificationType: z.string().describe("permission_prompt, idle_prompt, …").optional(),
  }),
  on_error: base.extend({
    error: errorInfo,
    phase: z.enum(["llm", "tool", "iteration"]),
    toolName: z.string().optional(),
    toolInput: record.optional(),
  }),
  agent_failed: base.extend({ error: errorInfo }),
  on_run_start: coordinated,
  on_tool_call: coordinated.extend({
    toolName: z.string(),
    toolInput: record,
    toolUseId: z.string().optional(),
  }),
  on_result: coordinatedResult,
  on_run_finish: coordinatedEnd,
  on_run_error: coordinatedEnd,
  on_timeout: coordinated.extend({ timeoutSeconds: z.number().positive() }),
} as const satisfies Record<EventName, z.ZodObject>;
