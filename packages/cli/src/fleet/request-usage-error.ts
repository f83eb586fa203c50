import type { RequestError } from "@tenterhook/client";
import { ownField, typedCommand } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { UsageError } from "../usage-error.ts";

/** A failed request as an error with advice for users of the command; any other error as it is. */
export async function explainError(error: unknown): Promise<unknown> {
  // Most errors are not of a request, and need not wait until the client is loaded.
  if (!TenterhookError.isInstance(error) || !("problem" in error)) return error;
  const { isRequestError } = await import("@tenterhook/client");
  return isRequestError(error) ? requestUsageError(error) : error;
}

/** Advice for users of the command line, by error code. */
const REMEDIES: Readonly<Record<string, string>> = {
  unauthenticated: "Use --token, or set TENTERHOOK_TOKEN.",
  forbidden: `Create a token with another scope: ${typedCommand()} tokens create`,
  unknown_agent: `${typedCommand()} agents lists the known agents.`,
  not_found: `${typedCommand()} runs, agents and approvals list what exists.`,
};

/** The failure of a request, as the command prints it. */
export function requestUsageError({ message, status, problem }: RequestError): UsageError {
  if (status === undefined) {
    return new UsageError(`${message}.`, `Is it running? Start one with: ${typedCommand()} up`);
  }
  if (problem === undefined) {
    return new UsageError(`${message}.`, "Check that this is a Tenterhook coordinator.");
  }
  const { title, detail, field, hint, code, error_id } = problem;
  const where = field === undefined ? "" : ` (${field})`;
  const advice = error_id === undefined ? hint : `See the coordinator's log for ${error_id}.`;
  return new UsageError(`${title}${where}: ${detail}.`, advice ?? ownField(REMEDIES, code), {
    code,
    status,
    ...(field !== undefined && { field }),
  });
}
