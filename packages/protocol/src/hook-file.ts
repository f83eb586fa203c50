import type { FileMatcher, HookMode, OnError } from "./descriptor.ts";
import type { EventName } from "./events.ts";

/** What a rule without a script answers where its matcher matches. */
export interface RuleAction {
  readonly type: "block" | "ask";
  readonly reason: string;
}

/** A HOOK.md, read and checked: plain data, as it is cached and shown. */
export interface HookFile {
  readonly name: string;
  readonly description: string;
  /** As written; an alias stands for one or more events. */
  readonly trigger: string;
  readonly events: readonly EventName[];
  /** Of several, one must match. */
  readonly matcher?: FileMatcher | readonly FileMatcher[];
  readonly timeoutMs: number;
  readonly mode: HookMode;
  /** 0 to 1000, higher first. */
  readonly priority: number;
  readonly onError: OnError;
  readonly always: boolean;
  readonly rejudge: boolean;
  /** False: it is called, what it would have done is recorded, and nothing else follows from it. Absent: it is enforced. */
  readonly enforce?: boolean;
  /** The matcher alone decides, with this answer, and no process starts. */
  readonly action?: RuleAction;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An error or a warning about a hook's files. An error keeps the hook from being used; a warning does not. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  readonly field?: string;
  readonly message: string;
}
