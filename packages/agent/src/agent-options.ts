import type { Approver, Hooks, HooksOptions } from "@tenterhook/engine";
import type { HookEventHandler, HooksConfig } from "@tenterhook/engine/config";
import { didYouMean, messageOf } from "@tenterhook/internal";
import { type Metadata, TenterhookError } from "@tenterhook/protocol";
import { compactionSettings } from "./loop/compaction.ts";
import type { CompactionOptions, LoopSettings } from "./loop/loop-settings.ts";
import type { ModelSettings } from "./model/model.ts";
import type { ModelLike, Models } from "./model/models.ts";
import type { ToolCheck } from "./run/tool-checks.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import type { Subagent } from "./subagents/delegate.ts";
import type { McpServerConfig } from "./tools/mcp/parse-mcp-servers.ts";
import type { AgentTools } from "./tools/tool.ts";

/** What an agent is made of; only the model is required. */
export interface AgentOptions {
  /** The agent's name in traces, and for agents that delegate to it. Default `agent`. */
  readonly name?: string | undefined;
  /** Default: the name. */
  readonly id?: string | undefined;
  /** For agents that delegate to it: when to use it. */
  readonly description?: string | undefined;
  /** The system prompt. */
  readonly instructions?: string | undefined;
  /** A model, or the name of one of `models`. */
  readonly model: ModelLike | string;
  /** More models by name, which hooks may choose on `before_llm`. */
  readonly models?: Readonly<Record<string, ModelLike>> | undefined;
  /** Temperature, provider options and so on, passed to the model. */
  readonly settings?: ModelSettings | undefined;
  readonly tools?: AgentTools | undefined;
  /** MCP servers by name; connected when a run starts, closed when it ends. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /** Agents that this one may delegate to, each a tool of its name. This agent's hooks apply to them too. */
  readonly subagents?: readonly Subagent[] | undefined;
  /** A set of hooks, or hooks by type in a configuration object. */
  readonly hooks?: Hooks | HooksConfig | undefined;
  /** Gets the hook events of a configuration object. */
  readonly onHookEvent?: HookEventHandler | undefined;
  /** Decides when a hook asks for a person's approval; without one, such calls are refused. */
  readonly approve?: Approver | undefined;
  /** What own tools do, for matchers with `effect`: `{ bash: "Shell", save: "WriteFile" }`. */
  readonly effectsOf?: HooksOptions["effectsOf"];
  /** Checks every tool call before the hooks, and again if hooks changed it. */
  readonly permissions?: ToolCheck | readonly ToolCheck[] | undefined;
  /** Like permissions, and checked after them. */
  readonly guardrails?: ToolCheck | readonly ToolCheck[] | undefined;
  /** Stores conversations by session. Default: in memory. */
  readonly sessions?: SessionStore | undefined;
  /** How the host was started, for `session_start`; the agent's name is added. Default: the name alone. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** The folder that tools work in. Default: the working directory of the process. */
  readonly workDir?: string | undefined;
  /** The most iterations of one run, skipped ones included. Default 50. */
  readonly maxSteps?: number | undefined;
  /** The most input and output tokens of one run, subagents included. Default: no limit. */
  readonly maxTokens?: number | undefined;
  /** How often a failed model call is retried, if the provider marks the error as retryable. Default 2. */
  readonly maxRetries?: number | undefined;
  /** The first pause before a retry; it doubles each time. Default 500. */
  readonly retryDelayMs?: number | undefined;
  /** For tools without a timeout of their own. Default 120,000. */
  readonly toolTimeoutMs?: number | undefined;
  /** Whether tool calls of one step run in parallel. Default true. */
  readonly parallelTools?: boolean | undefined;
  /** How often stop hooks may make the agent continue in one run; `Infinity`: until `maxSteps`. Default 3. */
  readonly maxHolds?: number | undefined;
  /** How often hooks may refuse an answer, or an answer may not match the output schema, in one run. Default 3. */
  readonly maxRefusals?: number | undefined;
  /** Whether a person's rejection of a tool call ends the run. Default false: the model gets the reason and continues. */
  readonly stopOnRejection?: boolean | undefined;
  /** Replaces a long conversation by a summary. Default: never. */
  readonly compaction?: CompactionOptions;
}

/** The options of one run. */
export interface RunRequest<Output = string> {
  /** The session that the run belongs to. Default: one of its own, which ends with the run. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  /** Whether to continue the session's conversation. Default true. */
  readonly loadHistory?: boolean | undefined;
  /** The schema of the final answer: zod, a Standard Schema, a JSON Schema, or `String`, which is text. Default: text. */
  readonly as?: OutputSchema<Output> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The metadata that the hooks of the run share. Default: a new object. */
  readonly metadata?: Metadata | undefined;
  /** Default: the agent's. */
  readonly approve?: Approver | undefined;
  readonly maxSteps?: number | undefined;
  readonly maxTokens?: number | undefined;
}

/** A schema with the type of its values; for a JSON Schema that is `unknown`. */
export type OutputSchema<Output> =
  | { readonly "~standard": { readonly types?: { readonly output: Output } | undefined } }
  | { readonly type?: unknown; readonly [keyword: string]: unknown }
  | StringConstructor;

const OPTIONS = [
  "name",
  "id",
  "description",
  "instructions",
  "model",
  "models",
  "settings",
  "tools",
  "mcpServers",
  "subagents",
  "hooks",
  "onHookEvent",
  "approve",
  "effectsOf",
  "permissions",
  "guardrails",
  "sessions",
  "args",
  "workDir",
  "maxSteps",
  "maxTokens",
  "maxRetries",
  "retryDelayMs",
  "toolTimeoutMs",
  "parallelTools",
  "maxHolds",
  "maxRefusals",
  "stopOnRejection",
  "compaction",
] as const satisfies readonly (keyof AgentOptions)[];

/** The minimum of each number; counts are whole numbers, or Infinity. */
const COUNTS = { maxSteps: 1, maxRetries: 0, maxHolds: 0, maxRefusals: 0 } as const;
const AMOUNTS = { maxTokens: 1, retryDelayMs: 0, toolTimeoutMs: 1 } as const;

type Numbers = Pick<AgentOptions, keyof typeof COUNTS | keyof typeof AMOUNTS>;

/** Throws if an option is unknown, or a number is out of range. */
export function checkAgentOptions(options: AgentOptions): void {
  const unknown = Object.keys(options).find((key) => !(OPTIONS as readonly string[]).includes(key));
  if (unknown !== undefined) {
    throw new TenterhookError("bad_agent", `an agent has no option "${unknown}".`, {
      hint: didYouMean(unknown, OPTIONS, `The options are ${OPTIONS.join(", ")}.`),
    });
  }
  checkNumbers(options);
}

/** Throws if a number of an agent, or of a run, is out of range. */
export function checkNumbers(numbers: Numbers): void {
  for (const [key, least] of Object.entries({ ...COUNTS, ...AMOUNTS })) {
    const value: unknown = numbers[key as keyof Numbers];
    const isCount = key in COUNTS;
    const isAllowed = !isCount || Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY;
    if (value === undefined || (typeof value === "number" && value >= least && isAllowed)) continue;
    const expected = isCount
      ? `a whole number of at least ${least}, or Infinity`
      : `a number of at least ${least}`;
    const given = typeof value === "number" ? value : quoted(value);
    throw new TenterhookError("bad_agent", `${key} must be ${expected}, not ${given}.`);
  }
}

function quoted(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : messageOf(value);
}

/** The settings of the loop, with all defaults applied. */
export function loopSettings(options: AgentOptions, models: Models): LoopSettings {
  const { compaction } = options;
  return {
    instructions: options.instructions ?? "",
    modelName: models.defaultName,
    args: options.args,
    modelSettings: options.settings,
    maxRetries: options.maxRetries ?? 2,
    retryDelayMs: options.retryDelayMs ?? 500,
    toolTimeoutMs: options.toolTimeoutMs ?? 120_000,
    parallelTools: options.parallelTools ?? true,
    maxHolds: options.maxHolds ?? 3,
    maxRefusals: options.maxRefusals ?? 3,
    stopOnRejection: options.stopOnRejection ?? false,
    compaction: compaction && compactionSettings(compaction),
  };
}

/** Permissions first, then guardrails. */
export function checksOf({ permissions, guardrails }: AgentOptions): readonly ToolCheck[] {
  return [permissions ?? [], guardrails ?? []].flat();
}
