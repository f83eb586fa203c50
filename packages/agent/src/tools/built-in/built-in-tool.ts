import { messageOf, systemCode } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
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

/** The meanings of system error codes, as the end of a sentence about a path. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be used by this process: permission denied",
  EPERM: "may not be used by this process: not permitted",
  ENOTDIR: "has a part that is not a folder",
  EISDIR: "is a folder",
  ELOOP: "has a link that was not there before, or links in a cycle",
  ENAMETOOLONG: "is too long a path",
  ENOSPC: "cannot be written: the disk is full",
  EROFS: "cannot be written: the file system is read-only",
};

/** An error about a path, as the model gets it. A `TenterhookError` is returned unchanged. */
export function pathFailure(error: unknown, path: string): TenterhookError {
  if (TenterhookError.isInstance(error)) return error;
  const meaning = MEANINGS[systemCode(error) ?? ""];
  const message = meaning === undefined ? `"${path}": ${messageOf(error)}` : `"${path}" ${meaning}.`;
  return new TenterhookError("tool_failed", message, { cause: error });
}

/** Throws when the call was cancelled. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new TenterhookError("tool_failed", "the call was cancelled.", { cause: signal.reason });
}
