import type { AgentTool, ToolCallContext } from "../tool.ts";

/** What a built-in tool needs to know of its call: where it works, and when to give up. */
export type ToolCallOptions = Pick<ToolCallContext, "workDir" | "abortSignal">;

/** A tool that comes with the package. `execute` throws a `TenterhookError`, and nothing else, when it cannot do it. */
export interface BuiltInTool<Input, Output> extends AgentTool {
  readonly description: string;
  readonly inputSchema: InputSchema;
  execute(input: Input, context: ToolCallOptions): Promise<Output>;
}

export interface FileToolOptions {
  /** The folder that the tool is confined to. Default: the call's `workDir`. */
  readonly workDir?: string | undefined;
}

/** A JSON Schema for a flat object. */
export interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Field>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export interface Field {
  readonly type: "string" | "integer" | "boolean";
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** The schema of a tool's input: what must be given, and what may be. */
export function inputSchema(
  required: Readonly<Record<string, Field>>,
  optional: Readonly<Record<string, Field>> = {},
): InputSchema {
  return {
    type: "object",
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}
