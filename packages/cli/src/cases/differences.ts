import { isDeepStrictEqual } from "node:util";
import type { TraceEntry } from "@tenterhook/engine";
import type { CaseOutcome, Expectation } from "./hook-case.ts";

/** The actual result of a case. */
export interface ActualResult {
  /** The trace entry of the hook; absent when its matcher did not match. */
  readonly entry: Readonly<TraceEntry> | undefined;
  readonly toolInput: unknown;
  readonly additionalContext: string;
}

/** The differences from the expectation, as sentences. */
export function differences(
  expected: Expectation,
  { entry, toolInput, additionalContext }: ActualResult,
): readonly string[] {
  const problems: string[] = [];
  const outcome = readOutcome(entry);
  const reason = entry?.reason ?? "";
  if (outcome !== expected.outcome) {
    problems.push(`expected the outcome ${expected.outcome}, got ${outcome}${because(entry)}`);
  }
  if (expected.reason !== undefined && !reason.includes(expected.reason)) {
    problems.push(`expected a reason with ${quoted(expected.reason)}, got ${quoted(reason)}`);
  }
  if (expected.toolInput !== undefined && !isDeepStrictEqual(toolInput, expected.toolInput)) {
    problems.push(`expected the tool input ${quoted(expected.toolInput)}, got ${quoted(toolInput)}`);
  }
  const { additionalContext: added } = expected;
  if (added !== undefined && !additionalContext.includes(added)) {
    problems.push(`expected additional context with ${quoted(added)}, got ${quoted(additionalContext)}`);
  }
  return problems;
}

function readOutcome(entry: Readonly<TraceEntry> | undefined): CaseOutcome {
  switch (entry?.verdict) {
    case "block":
      return "deny";
    case "ask":
    case "stop":
    case "failed":
      return entry.verdict;
    default:
      return "allow";
  }
}

function because(entry: Readonly<TraceEntry> | undefined): string {
  if (entry === undefined || entry.verdict === "unmatched") return ", because its matcher did not match";
  return entry.reason === undefined ? "" : `: ${entry.reason}`;
}

function quoted(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}
