import type { Action } from "./actions.ts";
import type { OutcomeType } from "./outcomes.ts";

/** The rough shape a changed field must have; hosts check the details with their own schemas. */
export type FieldKind = "string" | "object" | "array" | "error" | "any";

/** What an outcome, or a failing hook, means at one event. */
export interface Meaning {
  readonly action: Action;
  /** One sentence for the reference table. */
  readonly means: string;
}

/** The rules of an event. */
export interface EventRow {
  readonly when: string;
  /** What fires it: an agent (in process, in files, in coding agents) or the coordinator (in blueprints only). */
  readonly layer: "agent" | "coordinator";
  /**
   * The event belongs to an agent's own turn: of a subagent it does not reach the parent's hooks, which get `subagent_start` and
   * `subagent_stop` instead.
   */
  readonly ownTurn?: true;
  /** What a hook acts on here, for sentences such as "refused the message". */
  readonly subject: string;
  /** Tool events carry `toolName` and `toolInput` and take tool matchers. */
  readonly tool?: true;
  /** A hook here can keep something from happening, so one that must not run any more refuses instead. */
  readonly guards?: true;
  /** The fields a hook may change, with their shape. */
  readonly changes: Readonly<Record<string, FieldKind>>;
  /** The field that `modified_input` of a hook's output replaces; absent: none. */
  readonly input?: string;
  /** The field that `modified_result` of a hook's output replaces; absent: none. */
  readonly result?: string;
  /** What `proceed(patch, { context })` may add here; absent: nothing. */
  readonly adds?: "context" | "instructions";
  readonly outcomes: readonly OutcomeType[];
  readonly block: Meaning;
  /** A hook with `onError: block` threw, timed out or returned no outcome of this event. */
  readonly failure: Meaning;
  /** What `stop` does here: ends the run, or is recorded because nothing is left to stop. */
  readonly stop: "stop" | "record";
  /** What is skipped, and how, where the row has the outcome. */
  readonly skip?: string;
  readonly recover?: string;
  /** Field an approver may edit, where the row has `ask`. */
  readonly edits?: string;
}
