import { isInstanceOf, LONGEST_ERROR, messageOf, readable, readField, shortened } from "@tenterhook/internal";
import { ERROR_CODES, eventRow, type HookDescriptor, TenterhookError } from "@tenterhook/protocol";

/** Anything a hook may throw, as the one error class, with hook and event named. */
export function asFailure(thrown: unknown, hook: HookDescriptor): TenterhookError {
  const cause = readable(thrown);
  if (isWrite(cause)) {
    return new TenterhookError("hook_threw", `it failed: ${textOf(thrown)}.`, {
      ...whose(hook),
      cause,
      hint: `${GIVEN} ${changeHint(hook)}`,
    });
  }
  if (!isFailure(cause))
    return new TenterhookError("hook_threw", `it failed: ${textOf(thrown)}.`, { ...whose(hook), cause });
  const isWhole = cause.hook === hook.name && cause.event === hook.event;
  return isWhole ? cause : new TenterhookError(cause.code, cause.message, { ...whose(hook), cause });
}

const GIVEN = "What a hook is given cannot be changed in place:";

/** What V8 throws for a write into a frozen object, or into a context. */
const WRITE =
  /^Cannot (?:assign to read only property|add property|delete property|define property|redefine property|set property .* which has only a getter)/;

function isWrite(thrown: unknown): boolean {
  return isInstanceOf(thrown, TypeError) && WRITE.test(textOf(thrown));
}

/** How a hook of this event changes something. */
function changeHint({ event }: HookDescriptor): string {
  const fields = Object.keys(eventRow(event).changes);
  const [first] = fields;
  if (first === undefined) return "this event lets hooks change nothing.";
  const others = fields.length > 1 ? ` (or ${fields.slice(1).join(", ")})` : "";
  return `return proceed({ ${first} }) with a changed copy${others}.`;
}

/** Whether it is an error of ours with all that is read of one; a mark alone can be on anything. */
function isFailure(thrown: unknown): thrown is TenterhookError {
  if (!TenterhookError.isInstance(thrown)) return false;
  const [code, message] = [readField(thrown, "code"), readField(thrown, "message")];
  return (
    typeof code === "string" &&
    Object.hasOwn(ERROR_CODES, code) &&
    typeof message === "string" &&
    message.length <= 2 * LONGEST_ERROR
  );
}

/** The message of anything that can be thrown, at the length that is kept of an error. */
export function textOf(thrown: unknown): string {
  return shortened(messageOf(thrown), LONGEST_ERROR);
}

export function timedOut(hook: HookDescriptor): TenterhookError {
  return new TenterhookError("hook_timeout", `it did not answer within ${hook.timeoutMs} ms.`, {
    ...whose(hook),
    hint: "Give it a longer timeoutMs, or do the slow part in the background.",
  });
}

export function cancelled(hook: HookDescriptor, reason: unknown): TenterhookError {
  return new TenterhookError("hook_cancelled", `it was cancelled: ${textOf(reason)}.`, whose(hook));
}

/** The details of an error that name the hook. */
export function whose({ name, event }: HookDescriptor): Pick<TenterhookError, "hook" | "event"> {
  return { hook: name, event };
}
