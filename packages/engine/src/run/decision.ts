import {
  type Action,
  actionFor,
  type EventName,
  type Outcome,
  type TenterhookError,
} from "@tenterhook/protocol";

/** What ended the sync chain: an answer that was not `proceed`, a failing hook, or the host. */
export interface Decision {
  readonly outcome: Outcome;
  readonly action: Action;
  /** The hook's name; absent when the host decided. */
  readonly hook?: string;
  /** The failure that is the reason, where it was one. */
  readonly error?: TenterhookError;
}

/** The decision that a hook's outcome amounts to at this event. */
export function decisionFor(event: EventName, outcome: Outcome, hook?: string): Decision {
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

/** Whether an answer from further out may stand in place of what was decided further in: never a softer one. */
export function mayReplace(decided: Outcome, answer: Outcome): boolean {
  return STRICTNESS[answer.type] >= STRICTNESS[decided.type];
}

/** Whether a hook objected, or wants a person to decide. */
export function isRefusal(outcome: Outcome): boolean {
  return outcome.type === "block" || outcome.type === "stop" || outcome.type === "ask";
}
