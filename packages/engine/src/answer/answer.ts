import { formatValue, isRecord } from "@tenterhook/internal";
import {
  type Action,
  block,
  type EventName,
  type EventRow,
  eventRow,
  type Outcome,
  type OutcomeType,
  proceed,
  TenterhookError,
} from "@tenterhook/protocol";
import { actionFor, type FieldKind, NOT_BY, OUTCOME_TYPES } from "@tenterhook/protocol/internal";
import { acceptedValue } from "./snapshot.ts";

/** One field that a hook changed. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Reads what a hook returned. Nothing proceeds; anything that is not an outcome of this event is an error of the hook. Each field is read
 * once: the outcome that is acted on is the one that was checked, whatever a getter returns the next time.
 */
export function readAnswer(event: EventName, hook: string, answer: unknown): Outcome {
  if (answer === undefined) return proceed();
  const where = { hook, event };
  const row = eventRow(event);
  const type =
    typeof answer === "object" && answer !== null ? (answer as { type?: unknown }).type : undefined;
  if (!isOutcomeType(type)) {
    throw new TenterhookError("bad_outcome", `it returned ${formatValue(answer)}, which is not an outcome.`, {
      ...where,
      hint: "Return proceed(), block(reason), …, or nothing.",
    });
  }
  if (!row.outcomes.includes(type)) {
    throw new TenterhookError("outcome_not_allowed", `it returned ${type}, which this event does not have.`, {
      ...where,
      hint: `Here a hook may ${row.outcomes.join(", ")}.`,
    });
  }
  switch (type) {
    case "block":
    case "stop":
    case "ask": {
      const { reason, notBy } = answer as { readonly reason?: unknown; readonly notBy?: unknown };
      if (typeof reason !== "string") {
        const hint = "Give a reason: the model and the person see it.";
        throw new TenterhookError("bad_outcome", `its ${type} has no reason.`, { ...where, hint });
      }
      const stated = reason.trim() === "" ? "no reason given" : reason;
      return type === "ask" ? readQuestion(stated, notBy) : { type, reason: stated };
    }
    case "skip":
    case "recover": {
      if (!("result" in (answer as object))) return { type };
      return { type, result: acceptedValue((answer as { readonly result?: unknown }).result) };
    }
    case "proceed": {
      const { patch, context } = answer as { readonly patch?: object; readonly context?: unknown };
      if (patch === undefined && context === undefined) return proceed();
      if (context !== undefined) checkContext(context, row, where);
      return {
        type,
        ...(patch !== undefined && { patch }),
        ...(context !== undefined && { context: context as string }),
      };
    }
  }
}

/** A question. One that excludes a person in a way that is not known is refused, whatever on_error is: anybody could decide it. */
function readQuestion(reason: string, notBy: unknown): Outcome {
  if (notBy === undefined) return { type: "ask", reason };
  if (notBy === NOT_BY) return { type: "ask", reason, notBy };
  // Not inspected further: a value that throws when it is read must not turn the refusal into a failure.
  const written = typeof notBy === "string" ? JSON.stringify(notBy.slice(0, 60)) : typeof notBy;
  return block(`${reason} (it asked with notBy: ${written}; only "${NOT_BY}" is known)`);
}

/** A hook with `observes: true` may only proceed. */
export function checkObserver(event: EventName, hook: string, outcome: Outcome): void {
  const isPlain = outcome.type === "proceed" && outcome.patch === undefined && outcome.context === undefined;
  if (isPlain) return;
  const did = outcome.type === "proceed" ? "changed or added something" : `returned ${outcome.type}`;
  throw new TenterhookError("outcome_not_allowed", `it is registered with observes: true, and ${did}.`, {
    hook,
    event,
    hint: "Leave out observes: true.",
  });
}

/** The fields that a patch really changes; a field that is not the event's to change is an error of the hook. */
export function readPatch(
  event: EventName,
  hook: string,
  payload: Readonly<Record<string, unknown>>,
  patch: unknown,
): readonly FieldChange[] {
  const where = { hook, event };
  if (!isRecord(patch)) {
    const hint = "Give proceed() an object with the changed fields.";
    throw new TenterhookError("bad_patch", `its patch is ${formatValue(patch)}.`, { ...where, hint });
  }
  const allowed = eventRow(event).changes;
  const changes: FieldChange[] = [];
  for (const [field, after] of Object.entries(patch)) {
    const before = payload[field];
    if (after === undefined || Object.is(after, before)) continue;
    const kind = Object.hasOwn(allowed, field) ? allowed[field] : undefined;
    if (kind === undefined) {
      const names = Object.keys(allowed);
      const problem = `it changed "${field}", which this event does not let change.`;
      const hint =
        names.length === 0 ? "Nothing can be changed here." : `Here a hook may change ${names.join(", ")}.`;
      throw new TenterhookError("patch_not_allowed", problem, { ...where, hint });
    }
    if (!isOfKind(after, kind)) {
      throw new TenterhookError("bad_patch", `it changed "${field}" into ${formatValue(after)}.`, {
        ...where,
        hint: `"${field}" must be ${ARTICLES[kind]}.`,
      });
    }
    // The metadata of a run stays writable.
    const shared = field === "state" ? (after as { readonly metadata?: unknown }).metadata : undefined;
    changes.push({ field, before, after: acceptedValue(after, shared) });
  }
  return changes;
}

const ARTICLES: Record<FieldKind, string> = {
  string: "a string",
  object: "an object",
  array: "an array",
  error: "an error with a name and a message",
  any: "a value",
};

function isOfKind(value: unknown, kind: FieldKind): boolean {
  switch (kind) {
    case "string":
      return typeof value === "string";
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "error":
      return typeof value === "object" && value !== null && typeof (value as Error).message === "string";
    case "any":
      return true;
  }
}

function isOutcomeType(type: unknown): type is OutcomeType {
  return typeof type === "string" && (OUTCOME_TYPES as readonly string[]).includes(type);
}

function checkContext(context: unknown, row: EventRow, where: { hook: string; event: EventName }): void {
  if (row.adds === undefined) {
    const problem = "it added context, which this event does not take.";
    throw new TenterhookError("patch_not_allowed", problem, where);
  }
  if (typeof context !== "string") {
    throw new TenterhookError("bad_patch", `it added context that is ${formatValue(context)}.`, {
      ...where,
      hint: "Context is text for the model.",
    });
  }
}

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
