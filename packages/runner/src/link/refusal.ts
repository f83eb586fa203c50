import { isRequestError, type RequestError } from "@tenterhook/client";

/** A response that this runner cannot read. It is treated as a refusal: a retry would bring the same response. */
export class UnreadableResponse extends Error {
  override readonly name = "UnreadableResponse";
}

/** Whether the coordinator has answered and refuses the request. */
export function isRefusal(error: unknown): error is RequestError | UnreadableResponse {
  return error instanceof UnreadableResponse || (isRequestError(error) && error.isRefusal);
}

/** No response: the connection broke, the time ran out, or a proxy answered. Only this is retried. */
export function isNetworkFailure(error: unknown): error is RequestError {
  return isRequestError(error) && !error.isRefusal;
}

/** Whether a request was refused with this code. */
export function isRefusedWith(error: unknown, code: string): boolean {
  return isRequestError(error) && error.code === code;
}

/** The store takes no writes from any coordinator: no lease expires, and afterwards every lease begins anew. */
export function isOutage(error: unknown): boolean {
  return isRefusedWith(error, "no_writes") || isRefusedWith(error, "insufficient_storage");
}

/** Of a request about a run: the lease is lost, the run has ended, or the coordinator does not know it. */
export function isLost(error: unknown): error is RequestError {
  return (
    isRefusedWith(error, "lease_lost") || (isRefusal(error) && "status" in error && error.status === 404)
  );
}
