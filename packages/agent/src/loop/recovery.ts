import { type ErrorInfo, ToolFailure } from "@tenterhook/protocol";
import type { RunScope } from "./run-scope.ts";
import { RunStopped } from "./run-stopped.ts";

/** What became of an error. */
export type Recovery =
  | { readonly type: "recovered"; readonly result: unknown }
  /** Dealt with, with nothing in its place. */
  | { readonly type: "suppressed" }
  /** Nobody recovered it; it may be another error than the one that happened. */
  | { readonly type: "stands"; readonly error: Error };

/** Where an error happened. */
export type ErrorPlace =
  | { readonly phase: "llm" | "iteration" }
  | {
      readonly phase: "tool";
      readonly toolName: string;
      readonly toolInput: Readonly<Record<string, unknown>>;
    };

/**
 * Carries an error up to where the run ends: hooks have been asked about it already, or it is a hook's own refusal, and an
 * error handler that suppresses everything must not disarm a guard.
 */
export class Settled extends Error {
  readonly error: Error;

  constructor(error: Error) {
    super(error.message, { cause: error });
    this.error = error;
  }
}

/** Offers an error to the `on_error` hooks, unless it is settled. */
export async function recover(run: RunScope, thrown: unknown, place: ErrorPlace): Promise<Recovery> {
  if (thrown instanceof RunStopped) throw thrown;
  const error = toError(thrown);
  if (thrown instanceof Settled) return { type: "stands", error };
  const tool = place.phase === "tool" ? { toolName: place.toolName, toolInput: { ...place.toolInput } } : {};
  const { outcome, payload } = await run.tell("on_error", { error, phase: place.phase, ...tool });
  if (outcome.type === "recover") {
    // A failure in the place of a recovery recovers nothing.
    if (ToolFailure.isInstance(outcome.result)) return { type: "stands", error: outcome.result };
    return "result" in outcome ? { type: "recovered", result: outcome.result } : { type: "suppressed" };
  }
  return { type: "stands", error: toError(payload.error) };
}

/** Anything that can be thrown, or that a hook put in an error's place, as an `Error`. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Settled) return thrown.error;
  if (thrown instanceof Error) return thrown;
  if (typeof thrown === "object" && thrown !== null && typeof (thrown as ErrorInfo).message === "string") {
    const { name, message, code } = thrown as ErrorInfo;
    return Object.assign(new Error(message, { cause: thrown }), {
      ...(typeof name === "string" && { name }),
      ...(code !== undefined && { code }),
    });
  }
  return new Error(String(thrown), { cause: thrown });
}
