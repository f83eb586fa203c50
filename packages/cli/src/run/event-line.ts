import type { AgentEvent } from "@tenterhook/agent";
import { TenterhookError } from "@tenterhook/protocol";
import { safeJson } from "../terminal.ts";

/** An event of a run as one line of JSON. Errors become objects with name, message and code. */
export function eventLine(event: AgentEvent): string {
  const json = JSON.stringify(event, (_, value: unknown) => {
    if (value instanceof Error) return errorFields(value);
    return typeof value === "bigint" ? String(value) : value;
  });
  return safeJson(json);
}

function errorFields(error: Error): Record<string, unknown> {
  const { name, message } = error;
  return { name, message, ...(TenterhookError.isInstance(error) && { code: error.code }) };
}
