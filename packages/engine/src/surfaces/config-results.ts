import { type ErrorInfo, ToolFailure } from "@tenterhook/protocol";
import type { ToolExecutionResult } from "./config-contexts.ts";

// A tool's result in the config object's shape, and back: `success: false` is a failure wherever it comes from.

export function succeeded(result: unknown): ToolExecutionResult {
  return { success: true, result };
}

export function failed(error: ErrorInfo | ToolFailure): ToolExecutionResult {
  const result = ToolFailure.isInstance(error) ? error.result : undefined;
  return { success: false, error: error.message, ...(result !== undefined && { result }) };
}

/** The value that a tool's event carries, as a result. */
export function resultOf(value: unknown): ToolExecutionResult {
  return ToolFailure.isInstance(value) ? failed(value) : succeeded(value);
}

/** A failing result as the error that it is. `instead` is the error that it stands in for. */
export function failureFrom({ error, result }: ToolExecutionResult, instead?: ErrorInfo): ToolFailure {
  const message = error ?? (typeof result === "string" ? result : "the tool failed");
  return new ToolFailure(message, { result, shown: error ?? result ?? message, cause: instead });
}

/** Whether two results say the same, so that handing one back changes nothing. */
export function saysTheSame(a: ToolExecutionResult, b: ToolExecutionResult): boolean {
  return a.success === b.success && a.error === b.error && Object.is(a.result, b.result);
}

export function isResult(value: unknown): value is ToolExecutionResult {
  return (
    typeof value === "object" && value !== null && typeof (value as ToolExecutionResult).success === "boolean"
  );
}
