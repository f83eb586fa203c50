import { ToolFailure } from "@tenterhook/protocol";
import { toError } from "./errors.ts";
import type { HostRun } from "./run.ts";

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

/** Offers an error to the `on_error` hooks. Rejects only when the run is stopped. */
export async function offerError(run: HostRun, thrown: unknown, location: ErrorLocation): Promise<Recovery> {
  if (thrown === run.stopped?.error) throw thrown;
  const error = toError(thrown);
  const { outcome, payload } = await run.fireAfter("on_error", { error, ...location });
  if (outcome.type === "recover") {
    // A recovery with a failure recovers nothing.
    if (ToolFailure.isInstance(outcome.result)) return { type: "unrecovered", error: outcome.result };
    return "result" in outcome ? { type: "recovered", result: outcome.result } : { type: "suppressed" };
  }
  return { type: "unrecovered", error: toError(payload.error) };
}
