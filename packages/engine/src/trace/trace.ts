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
  WouldHave,
} from "@tenterhook/protocol";
import type { FieldChange } from "../answer/answer.ts";
import { bodyOf } from "../register/hook.ts";

/** What one hook did in one dispatch. One shape for all of them, so that making one costs a few nanoseconds. */
export class TraceEntry {
  readonly hookId: string;
  readonly hook: string;
  readonly source: string;
  readonly mode: HookMode;
  /** `judging` entries are second judgements, after a later hook changed the value. */
  pass: "first" | "judging" = "first";
  /**
   * The type of its outcome. `unmatched` hooks were not called; `started` ones run in the background; `would_block` and the like is what a
   * hook that is not enforced would have done: then `changes` and `context` are what it would have changed and added.
   */
  verdict: OutcomeType | WouldHave | "failed" | "unmatched" | "started" = "proceed";
  /** What that meant. */
  action: Action = "go_on";
  reason: string | undefined = undefined;
  changes: readonly FieldChange[] | undefined = undefined;
  /** Context it added for the model. */
  context: string | undefined = undefined;
  error: TenterhookError | undefined = undefined;
  /** Matching was too costly to finish, so the hook was called. */
  matchUndecided: true | undefined = undefined;
  /** The alias of the tool that its matcher found, where the tool's own name does not match. */
  matchedAs: string | undefined = undefined;
  /** An approver's answer to its `ask`. */
  approval: "approve" | "reject" | "edit" | undefined = undefined;
  /** Milliseconds. Absent, in a dispatch without listeners, for a hook that ended in the tick it began in. */
  durationMs: number | undefined = undefined;
  /** Milliseconds since the process's time origin; absent with `durationMs`. */
  startedAt: number | undefined = undefined;

  readonly #descriptor: HookDescriptor;

  constructor(hook: HookDescriptor) {
    this.#descriptor = hook;
    this.hookId = hook.id;
    this.hook = hook.name;
    this.source = hook.source;
    this.mode = hook.mode;
  }

  /** False: the hook is not enforced, and nothing followed from what it answered. */
  get isEnforced(): boolean {
    return this.#descriptor.enforce !== false;
  }

  /** The text about the hook, of a HOOK.md its body; read on first use. */
  get body(): string | undefined {
    return bodyOf(this.#descriptor);
  }
}

/** What happened in one dispatch: which hooks were called, what each answered and changed, and how long it took. */
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
  readonly entries: readonly Readonly<TraceEntry>[];
}
