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

export interface EventRow {
  readonly when: string;
  /** Who fires it: an agent (in process, in files, in coding agents) or the coordinator (in blueprints only). */
  readonly scope: "agent" | "coordinator";
  /** Tool events carry `toolName` and `toolInput` and take tool matchers. */
  readonly tool: boolean;
  /** The fields a hook may change, with their shape. */
  readonly changes: Readonly<Record<string, FieldKind>>;
  /** What `proceed(patch, { context })` may add here, in the words of the table; absent: nothing. */
  readonly adds?: "context" | "instructions";
  readonly outcomes: readonly OutcomeType[];
  readonly block: Meaning;
  /** A hook with `onError: block` threw, timed out or answered nonsense. */
  readonly failure: Meaning;
  /** What `stop` does here: ends the run, or is recorded because nothing is left to stop. */
  readonly stop: "stop" | "record";
  /** What is skipped, and how, where the row has the power. */
  readonly skip?: string;
  readonly recover?: string;
  /** Field an approver may edit, where the row has `ask`. */
  readonly edits?: string;
}
