import { type HookDescriptor, messageOf, TenterhookError } from "@tenterhook/protocol";

/** Anything a hook may throw, as the one error class, with hook and event named. */
export function asFailure(thrown: unknown, hook: HookDescriptor): TenterhookError {
  if (TenterhookError.isInstance(thrown)) {
    const isWhole = thrown.hook === hook.name && thrown.event === hook.event;
    return isWhole
      ? thrown
      : new TenterhookError(thrown.code, thrown.message, { ...whose(hook), cause: thrown });
  }
  return new TenterhookError("hook_threw", `it failed: ${messageOf(thrown)}.`, {
    ...whose(hook),
    cause: thrown,
  });
}

export function timedOut(hook: HookDescriptor): TenterhookError {
  return new TenterhookError("hook_timeout", `it did not answer within ${hook.timeoutMs} ms.`, {
    ...whose(hook),
    hint: "Give it a longer timeoutMs, or do the slow part in the background.",
  });
}

export function cancelled(hook: HookDescriptor, reason: unknown): TenterhookError {
  return new TenterhookError("hook_cancelled", `it was cancelled: ${messageOf(reason)}.`, whose(hook));
}

/** The details of an error that name the hook. */
export function whose({ name, event }: HookDescriptor): Pick<TenterhookError, "hook" | "event"> {
  return { hook: name, event };
}
