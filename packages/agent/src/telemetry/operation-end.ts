import { isInstanceOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { OperationFacts } from "../run/agent-instrument.ts";
import { toError } from "../run/recovery.ts";
import { RunStopped } from "../run/run-stopped.ts";

/** How an operation ended. Refusals and stops are outcomes of their own: only a failure has an error. */
export interface OperationEnd {
  readonly outcome: string;
  /** The error, if it failed. */
  readonly failure?: { readonly error: unknown };
}

/** The end by the recorded facts; a thrown error takes precedence. */
export function operationEnd(facts: OperationFacts, thrown?: { readonly error: unknown }): OperationEnd {
  if (thrown !== undefined) return thrownEnd(thrown.error);
  const { outcome = "completed", error } = facts;
  if (outcome === "failed") return { outcome, failure: { error } };
  // A recorded error of a successful operation is one that a hook handled.
  return { outcome: outcome === "completed" && error !== undefined ? "recovered" : outcome };
}

function thrownEnd(thrown: unknown): OperationEnd {
  const error = toError(thrown);
  if (isInstanceOf(error, RunStopped)) return { outcome: error.stopReason };
  if (TenterhookError.isInstance(error) && error.code === "model_call_refused") return { outcome: "refused" };
  return { outcome: "failed", failure: { error } };
}
