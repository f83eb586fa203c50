import type { EventName } from "./events.ts";

/** Sync hooks are awaited and may refuse; background hooks only observe. */
export type HookMode = "sync" | "background";

/** What a hook's failure (it threw, timed out, returned no outcome of its event) means for the action. */
export type OnError = "block" | "continue";

/** A registered hook as data: what `explain`, traces, logs and the dashboard show. */
export interface HookDescriptor {
  readonly id: string;
  readonly name: string;
  readonly event: EventName;
  readonly mode: HookMode;
  /** Higher runs first. */
  readonly priority: number;
  readonly timeoutMs: number;
  readonly onError: OnError;
  /** A background hook that also runs, and gets the outcome, when something blocked. */
  readonly always: boolean;
  /** Whether it is called again when a later hook changed what it had let pass. */
  readonly rejudge: boolean;
  /** It only observes: it may not change or refuse anything. */
  readonly observes?: boolean;
  /** False: it is called, what it would have done is recorded, and nothing else follows from it. Absent: it is enforced. */
  readonly enforce?: boolean;
  /** The matcher in words; absent when it matches everything. */
  readonly matcher?: string;
  /** Where it comes from: `code`, a path, a blueprint. */
  readonly source: string;
}

/** Whether a hook may change or refuse anything: it is awaited, does more than observe, and is enforced. */
export function mayDecide({
  mode,
  observes,
  enforce,
}: Pick<HookDescriptor, "mode" | "observes" | "enforce">): boolean {
  return mode === "sync" && observes !== true && enforce !== false;
}
