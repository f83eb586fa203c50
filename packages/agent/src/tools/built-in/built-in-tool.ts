import type { AgentTool, ToolCallContext } from "../tool.ts";

/** What a built-in tool uses of its call: the work folder and the signal. */
export type ToolCallOptions = Pick<ToolCallContext, "workDir" | "abortSignal">;

/** A tool of this package. `execute` only throws `TenterhookError`. */
export interface BuiltInTool<Input, Output> extends AgentTool {
  readonly description: string;
  readonly inputSchema: InputSchema;
  execute(input: Input, context: ToolCallOptions): Promise<Output>;
}

/** Where tools work that read and write files. */
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

/** The schema of a tool's input, from its required and optional fields. */
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
