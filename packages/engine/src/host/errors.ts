import { isInstanceOf, messageOf, readable, readField } from "@tenterhook/internal";
import { type ErrorInfo, type EventName, TenterhookError } from "@tenterhook/protocol";
import type { Dispatch } from "../run/dispatch-hooks.ts";

/** Any thrown value, or a hook's replacement of an error, as an `Error`. */
export function toError(thrown: unknown): Error {
  const cause = readable(thrown);
  const message = messageOf(readField(cause, "message") ?? cause);
  if (isInstanceOf(cause, Error))
    return cause.message === message || cause.message === "" ? cause : new Error(message, { cause });
  const error = new Error(message, { cause });
  if (typeof cause !== "object" || cause === null) return error;
  const { name, code } = cause as Partial<ErrorInfo>;
  return Object.assign(error, {
    ...(typeof name === "string" && { name }),
    ...(code !== undefined && { code }),
  });
}

/** The error of a run that a hook stopped. */
export function stoppedBy({
  hook,
  event,
  reason = "a hook stopped the run",
}: Pick<Dispatch<EventName>, "hook" | "event" | "reason">): TenterhookError {
  return new TenterhookError("run_stopped", reason, { hook, event });
}

/** What frameworks throw for an aborted run. */
export function abortError(reason: unknown): Error {
  if (reason === undefined || reason === null) return new DOMException("aborted", "AbortError");
  return reason instanceof Error
    ? reason
    : Object.assign(toError(reason), { name: "AbortError", message: messageOf(reason) });
}
