import { isInstanceOf, messageOf, readable, readField } from "@tenterhook/internal";
import type { ErrorInfo } from "@tenterhook/protocol";

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
