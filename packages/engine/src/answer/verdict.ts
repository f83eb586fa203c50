import type { Action, EventName, Outcome, TenterhookError } from "@tenterhook/protocol";
import { actionFor } from "@tenterhook/protocol/internal";

/** How a dispatch ends: by an outcome other than `proceed`, by a failing hook, or by the host. */
export interface DispatchVerdict {
  readonly outcome: Outcome;
  readonly action: Action;
  /** The hook's name; absent when the host decided. */
  readonly hook?: string;
  /** The failure that is the reason, where it was one. */
  readonly error?: TenterhookError;
}

/** The verdict that a hook's outcome leads to at this event. */
export function verdictFor(event: EventName, outcome: Outcome, hook?: string): DispatchVerdict {
  return { outcome, action: actionFor(event, outcome.type), ...(hook !== undefined && { hook }) };
}

const STRICTNESS: Record<Outcome["type"], number> = {
  proceed: 0,
  recover: 1,
  skip: 1,
  ask: 2,
  block: 2,
  stop: 3,
};

/** Whether the outcome of an outer hook may replace that of an inner one: never with a softer one. */
export function mayReplace(inner: Outcome, outer: Outcome): boolean {
  return STRICTNESS[outer.type] >= STRICTNESS[inner.type];
}

/** Whether a hook refused, or wants a person to decide. */
export function isObjection(outcome: Outcome): boolean {
  return outcome.type === "block" || outcome.type === "stop" || outcome.type === "ask";
}
