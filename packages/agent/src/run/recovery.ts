import { isInstanceOf, messageOf, readable, readField } from "@tenterhook/internal";
import { type ErrorInfo, ToolFailure } from "@tenterhook/protocol";
import type { RunContext } from "./run-context.ts";
import { RunStopped } from "./run-stopped.ts";

/** The result of offering an error to hooks. */
export type Recovery =
  | { readonly type: "recovered"; readonly result: unknown }
  /** A hook handled it, without a result. */
  | { readonly type: "suppressed" }
  /** No hook recovered it; a hook may have replaced it by another error. */
  | { readonly type: "unrecovered"; readonly error: Error };

/** Where an error happened. */
export type ErrorLocation =
  | { readonly phase: "llm" | "iteration" }
  | {
      readonly phase: "tool";
      readonly toolName: string;
      readonly toolInput: Readonly<Record<string, unknown>>;
    };

/**
 * An error that ends the run without another `on_error`: hooks have seen it, or it is a hook's own refusal. An error handler that
 * suppresses everything must not disable a guard.
 */
export class FinalError extends Error {
  readonly error: Error;

  constructor(error: Error) {
    super(error.message, { cause: error });
    this.error = error;
  }
}

/** Offers an error to the `on_error` hooks, unless it is final. */
export async function offerToErrorHooks(
  run: RunContext,
  thrown: unknown,
  location: ErrorLocation,
): Promise<Recovery> {
  if (isInstanceOf(thrown, RunStopped)) throw thrown;
  const error = toError(thrown);
  if (isInstanceOf(thrown, FinalError)) return { type: "unrecovered", error };
  const tool =
    location.phase === "tool" ? { toolName: location.toolName, toolInput: location.toolInput } : {};
  const { outcome, payload } = await run.fireAfter("on_error", { error, phase: location.phase, ...tool });
  if (outcome.type === "recover") {
    // A recovery with a failure recovers nothing.
    if (ToolFailure.isInstance(outcome.result)) return { type: "unrecovered", error: outcome.result };
    return "result" in outcome ? { type: "recovered", result: outcome.result } : { type: "suppressed" };
  }
  return { type: "unrecovered", error: toError(payload.error) };
}

/** Any thrown value, or a hook's replacement of an error, as an `Error`. */
export function toError(thrown: unknown): Error {
  if (isInstanceOf(thrown, FinalError)) return thrown.error;
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
