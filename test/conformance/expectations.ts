import type { Dispatch } from "@tenterhook/engine";
import type { EventName } from "@tenterhook/protocol";
import { expect } from "vitest";
import type { Case } from "./case.ts";

/** Checks everything that a case expects. `codes` translates error codes for hosts where a hook fails in another way. */
export function expectations(
  row: Case,
  dispatch: Dispatch<EventName>,
  called: readonly string[],
  observed: readonly string[],
  codes: Readonly<Record<string, string>> = {},
): void {
  const { outcome, action, reason, result, context, payload, failed = {} } = row.expect;
  if (outcome !== undefined) expect(dispatch.outcome.type).toBe(outcome);
  if (action !== undefined) expect(dispatch.action).toBe(action);
  if (reason !== undefined) expect(dispatch.reason).toContain(reason);
  if (result !== undefined) expect(dispatch.result).toEqual(result);
  if (context !== undefined) expect(dispatch.context).toEqual(context);
  if (payload !== undefined) expect(dispatch.payload).toMatchObject(payload);
  if (row.expect.called !== undefined) expect(called).toEqual(row.expect.called);
  if (row.expect.observed !== undefined) expect(observed).toEqual(row.expect.observed);
  const expected = Object.entries(failed).map(([hook, code]) => [hook, codes[code] ?? code]);
  expect(dispatch.failures.map(({ hook, code }) => [hook, code])).toEqual(expected);
}
