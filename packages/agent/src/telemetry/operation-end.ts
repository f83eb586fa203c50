import { TenterhookError } from "@tenterhook/protocol";
import { toError } from "../loop/recovery.ts";
import { RunStopped } from "../loop/run-stopped.ts";
import type { OperationFacts } from "./agent-instrument.ts";

/** How an operation ended. Refusals and stops have a word of their own: only what failed has an error. */
export interface OperationEnd {
  readonly outcome: string;
  /** What it failed with, when it failed. */
  readonly failure?: { readonly error: unknown };
}

/** Reads an end from what was noted, and from what was thrown, which has the last word. */
export function operationEnd(facts: OperationFacts, thrown?: { readonly error: unknown }): OperationEnd {
  if (thrown !== undefined) return thrownEnd(thrown.error);
  const { outcome = "completed", error } = facts;
  if (outcome === "failed") return { outcome, failure: { error } };
  // An error that was noted on the way to a good end is one that a hook dealt with.
  return { outcome: outcome === "completed" && error !== undefined ? "recovered" : outcome };
}

function thrownEnd(thrown: unknown): OperationEnd {
  const error = toError(thrown);
  if (error instanceof RunStopped) return { outcome: error.stopReason };
  if (TenterhookError.isInstance(error) && error.code === "model_call_refused") return { outcome: "refused" };
  return { outcome: "failed", failure: { error } };
}
