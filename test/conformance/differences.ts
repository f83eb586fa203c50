import { inspect } from "node:util";
import type { Dispatch } from "@tenterhook/engine";
import type { EventName } from "@tenterhook/protocol";
import type { Case } from "./case.ts";

/**
 * Compares a dispatch with everything that a case expects, and returns a line for each difference. It needs no test runner, so that rows can
 * be checked by any version of Node alone. `codes` translates error codes for hosts where a hook fails in another way.
 */
export function differences(
  row: Case,
  dispatch: Dispatch<EventName>,
  called: readonly string[],
  observed: readonly string[],
  codes: Readonly<Record<string, string>> = {},
): readonly string[] {
  const { outcome, action, reason, result, context, payload, failed = {} } = row.expect;
  const failures = dispatch.failures.map(({ hook, code }) => [hook, code]);
  const expected = Object.entries(failed).map(([hook, code]) => [hook, codes[code] ?? code]);
  return [
    ...difference("outcome", dispatch.outcome.type, outcome),
    ...difference("action", dispatch.action, action),
    ...(reason === undefined || dispatch.reason?.includes(reason)
      ? []
      : shown("reason", dispatch.reason, reason)),
    ...difference("result", dispatch.result, result),
    ...difference("context", dispatch.context, context),
    ...(payload === undefined || contains(dispatch.payload, payload)
      ? []
      : shown("payload", dispatch.payload, payload)),
    ...difference("called", called, row.expect.called),
    ...difference("observed", observed, row.expect.observed),
    ...difference("failed", failures, expected),
    ...difference(
      "notEnforced",
      Object.fromEntries(dispatch.notEnforced.map(({ hook, verdict }) => [hook, verdict])),
      row.expect.notEnforced,
    ),
  ];
}

function difference(what: string, received: unknown, expected: unknown): readonly string[] {
  if (expected === undefined) return [];
  return contains(received, expected) && contains(expected, received) ? [] : shown(what, received, expected);
}

function shown(what: string, received: unknown, expected: unknown): readonly string[] {
  return [`${what} is ${inspect(received, { depth: 9 })} instead of ${inspect(expected, { depth: 9 })}`];
}

/** Whether a value has all that is expected, and lists have nothing else. A field that is `undefined` counts as absent. */
function contains(received: unknown, expected: unknown): boolean {
  if (typeof expected !== "object" || expected === null) return Object.is(received, expected);
  if (typeof received !== "object" || received === null) return false;
  if (Array.isArray(expected) !== Array.isArray(received)) return false;
  if (Array.isArray(expected) && Array.isArray(received) && expected.length !== received.length) return false;
  return Object.entries(expected).every(([name, value]) =>
    contains((received as Readonly<Record<string, unknown>>)[name], value),
  );
}
