import { isRecord } from "@tenterhook/internal";
import type { HookMode, OnError } from "./descriptor.ts";
import type { EventName } from "./events.ts";

/** When a hook is called: all that a matcher has must match the call. */
export interface FileMatcher {
  readonly tool?: string;
  readonly pattern?: string;
  /** One effect of these kinds; with the fields below, one that has a target of theirs. */
  readonly effect?: readonly string[];
  readonly path?: readonly string[];
  readonly notPath?: readonly string[];
  readonly host?: readonly string[];
  readonly unknown?: "pass";
  readonly unreadable?: "pass";
}

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

/** The matchers of a hook, one or several; `undefined` when it matches everything. */
export function listMatchers({ matcher }: Pick<HookFile, "matcher">): readonly FileMatcher[] | undefined {
  return matcher === undefined || isList(matcher) ? matcher : [matcher];
}

function isList(matcher: FileMatcher | readonly FileMatcher[]): matcher is readonly FileMatcher[] {
  return Array.isArray(matcher);
}

/** Whether a value has the form of a stored matcher. What a later version adds does no harm. */
export function isStoredMatcher(value: unknown): boolean {
  if (Array.isArray(value))
    return value.length > 0 && value.every((each) => isRecord(each) && isStoredMatcher(each));
  if (value === undefined) return true;
  if (!isRecord(value)) return false;
  const { tool, pattern, effect, path, notPath, host, unknown, unreadable } = value;
  return (
    [tool, pattern].every((each) => each === undefined || typeof each === "string") &&
    [effect, path, notPath, host].every((each) => each === undefined || isTexts(each)) &&
    [unknown, unreadable].every((each) => each === undefined || each === "pass")
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
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
