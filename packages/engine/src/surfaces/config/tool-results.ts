import { type ErrorInfo, ToolFailure } from "@tenterhook/protocol";
import type { ToolExecutionResult } from "./types.ts";

// A tool's result in the shape of the configuration object, and back. `success: false` always is a failure.

export function succeeded(result: unknown): ToolExecutionResult {
  return { success: true, result };
}

export function failed(error: ErrorInfo | ToolFailure): ToolExecutionResult {
  const result = ToolFailure.isInstance(error) ? error.result : undefined;
  return { success: false, error: error.message, ...(result !== undefined && { result }) };
}

/** A failing result as an error. `instead` is the error that it replaces. */
export function failureFrom({ error, result }: ToolExecutionResult, instead?: ErrorInfo): ToolFailure {
  const message = error ?? (typeof result === "string" ? result : "the tool failed");
  return new ToolFailure(message, { result, shown: error ?? result ?? message, cause: instead });
}

/** Whether two results are the same, so that returning one changes nothing. */
export function isSame(a: ToolExecutionResult, b: ToolExecutionResult): boolean {
  return a.success === b.success && a.error === b.error && Object.is(a.result, b.result);
}

export function isResult(value: unknown): value is ToolExecutionResult {
  return typeof (value as Partial<ToolExecutionResult> | null | undefined)?.success === "boolean";
}
