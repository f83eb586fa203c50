import { snapshot } from "@tenterhook/engine/host";
import { TenterhookError, type ToolDefinition } from "@tenterhook/protocol";
import type { RunContext } from "../run/run-context.ts";
import { type InputSchema, readSchema } from "./input-schema.ts";
import type { AgentTool, AgentTools, ToolCallContext } from "./tool.ts";

/** Executes a call whose input has been validated. `run` is for tools that are agents. */
export type ToolExecutor = (input: unknown, context: ToolCallContext, run: RunContext) => unknown;

/** A tool as the loop uses it. */
export interface ResolvedTool {
  readonly definition: ToolDefinition;
  readonly schema: InputSchema;
  /** Absent for tools that the provider executes. */
  readonly execute: ToolExecutor | undefined;
  readonly timeoutMs: number | undefined;
  /** The AI SDK's own options for approval and for the output that the model reads. */
  readonly needsApproval:
    | ((input: unknown, context: ToolCallContext) => boolean | Promise<boolean>)
    | undefined;
  readonly toModelOutput: ((result: unknown, input: unknown, toolCallId: string) => unknown) | undefined;
}

/** All tools of a run, by name. */
export class Toolbox {
  readonly #tools: ReadonlyMap<string, ResolvedTool>;
  /** The definitions for the model. */
  readonly definitions: readonly ToolDefinition[];

  constructor(tools: ReadonlyMap<string, ResolvedTool>) {
    this.#tools = tools;
    // Schemas belong to the host, and hooks get them.
    this.definitions = snapshot([...tools.values()].map(({ definition }) => definition));
  }

  get(name: string): ResolvedTool | undefined {
    return this.#tools.get(name);
  }

  get names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  with(more: ReadonlyMap<string, ResolvedTool>): Toolbox {
    const duplicate = [...more.keys()].find((name) => this.#tools.has(name));
    if (duplicate !== undefined) {
      throw new TenterhookError("bad_agent", `there are two tools named "${duplicate}".`, {
        hint: "Rename one of them.",
      });
    }
    return more.size === 0 ? this : new Toolbox(new Map([...this.#tools, ...more]));
  }
}

/** Resolves tools: their schemas, and the options of AI SDK tools. */
export async function readTools(tools: AgentTools): Promise<ReadonlyMap<string, ResolvedTool>> {
  const entries = Object.entries(tools).map(
    async ([name, tool]) => [name, await readTool(name, tool)] as const,
  );
  return new Map(await Promise.all(entries));
}

/** The additional fields of AI SDK tools. */
interface SdkTool extends AgentTool {
  readonly type?: string;
  readonly id?: string;
  readonly args?: unknown;
  readonly needsApproval?: unknown;
  readonly toModelOutput?: unknown;
}

async function readTool(name: string, tool: SdkTool): Promise<ResolvedTool> {
  const schema = await readSchema(tool.inputSchema, `the tool "${name}"`);
  const { description, timeoutMs, needsApproval, toModelOutput } = tool;
  const isProviderTool = tool.type === "provider" || tool.type === "provider-defined";
  const definition: ToolDefinition = {
    name,
    ...(description !== undefined && { description }),
    inputSchema: schema.jsonSchema,
    ...(isProviderTool && { type: "provider", id: tool.id, args: tool.args }),
  };
  const execute = tool.execute as ToolExecutor | undefined;
  return {
    definition,
    schema,
    execute:
      execute === undefined ? undefined : (input, context, run) => execute.call(tool, input, context, run),
    timeoutMs,
    needsApproval: readApproval(needsApproval),
    toModelOutput: typeof toModelOutput === "function" ? readOutput(tool, toModelOutput) : undefined,
  };
}

function readApproval(needsApproval: unknown): ResolvedTool["needsApproval"] {
  if (needsApproval === true) return () => true;
  if (typeof needsApproval !== "function") return undefined;
  return (input, context) => needsApproval(input, context) as boolean | Promise<boolean>;
}

function readOutput(tool: SdkTool, toModelOutput: unknown): NonNullable<ResolvedTool["toModelOutput"]> {
  const convert = toModelOutput as (given: object) => unknown;
  return (output, input, toolCallId) => convert.call(tool, { output, input, toolCallId });
}
