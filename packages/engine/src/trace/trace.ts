import type {
  Action,
  EventName,
  HookDescriptor,
  HookMode,
  Immutable,
  Outcome,
  OutcomeType,
  Payload,
  TenterhookError,
} from "@tenterhook/protocol";

/** One field that a hook changed. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What one hook did in one dispatch. */
export interface TraceEntry {
  readonly hookId: string;
  readonly hook: string;
  readonly source: string;
  readonly mode: HookMode;
  /** `judging` entries are second judgements, after a later hook changed the value. */
  readonly pass: "first" | "judging";
  /** What the hook said. `unmatched` hooks were not asked; `started` ones run in the background. */
  readonly verdict: OutcomeType | "failed" | "unmatched" | "started";
  /** What that meant. */
  readonly action: Action;
  readonly reason?: string;
  readonly changes?: readonly FieldChange[];
  /** Context it added for the model. */
  readonly context?: string;
  readonly error?: TenterhookError;
  /** Matching was given up as too costly, so the hook was asked. */
  readonly matchUndecided?: true;
  /** An approver's answer to its `ask`. */
  readonly approval?: "approve" | "reject" | "edit";
  /** Milliseconds. Absent for a sync hook in a dispatch that nobody listens to: the clock would cost more than the hook. */
  readonly durationMs?: number;
  /** Milliseconds since the process's time origin; absent with `durationMs`. */
  readonly startedAt?: number;
}

/** What happened in one dispatch: which hooks were asked, what each said, changed, and how long it took. */
export interface Trace<E extends EventName = EventName> {
  readonly event: E;
  /** The payload before any hook changed it. */
  readonly original: Immutable<Payload<E>>;
  /** The payload after the last change. */
  readonly final: Immutable<Payload<E>>;
  readonly outcome: Outcome;
  readonly action: Action;
  /** The hook that decided, where one did. */
  readonly decidedBy?: string;
  readonly entries: readonly TraceEntry[];
}

/** The entry of a hook that was asked and did not object; what it did beside that is added to it. */
export function entryFor(hook: HookDescriptor): TraceEntry {
  return {
    hookId: hook.id,
    hook: hook.name,
    source: hook.source,
    mode: hook.mode,
    pass: "first",
    verdict: "proceed",
    action: "go_on",
  };
}
