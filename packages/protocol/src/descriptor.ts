import { isRecord } from "@tenterhook/internal";
import type { EventName } from "./events.ts";

/** The most characters that a hook's name has. */
export const LONGEST_HOOK_NAME = 64;

/** A hook's name as names are compared: those that are equal after NFKC are the same name, however they were typed or stored. */
export function normalName(name: string): string {
  return name.normalize("NFKC");
}

/** Counts characters, not halves of surrogate pairs. */
export function isHookNameTooLong(name: string): boolean {
  return name.length > LONGEST_HOOK_NAME && [...name].length > LONGEST_HOOK_NAME;
}

/**
 * Lower-case letters and letters without case, of any script, with their marks; digits; hyphens. Nothing that is invisible, but for the
 * joiners that some scripts need inside of words.
 */
const PLAIN =
  /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}-]|(?<=[\p{M}\p{Script=Arabic}])[\u200C\u200D](?=\p{Lo}))+$/u;

/** Whether a name is one that people can read and type, and that other tools take. */
export function isPlainHookName(name: string): boolean {
  return PLAIN.test(name);
}

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

/** The matchers of a hook, one or several; `undefined` when it matches everything. */
export function listMatchers({
  matcher,
}: {
  readonly matcher?: FileMatcher | readonly FileMatcher[];
}): readonly FileMatcher[] | undefined {
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
