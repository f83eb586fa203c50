import { TenterhookError } from "@tenterhook/protocol";

/** A failed request as an error with advice for users of the command; any other error as it is. */
export async function explainError(error: unknown): Promise<unknown> {
  // Most errors are not of a request, and need not wait until the client is loaded.
  if (!TenterhookError.isInstance(error) || !("problem" in error)) return error;
  const { isRequestError } = await import("@tenterhook/client");
  const { requestUsageError } = await import("./fleet/request-usage-error.ts");
  return isRequestError(error) ? requestUsageError(error) : error;
}
