import {
  hasPlainWord,
  inputTexts,
  isPlainWord,
  LONGEST_TOOL_NAME,
  type PlainWord,
  plainWords,
} from "@tenterhook/engine/internal";
import { nativeNames } from "@tenterhook/protocol/internal";
import type { Input } from "../translate/canonical-call.ts";

/** The result of a matcher, as far as it is known without the pattern engine. */
export type QuickMatch = "no" | "maybe";

/** What can be said of a HOOK.md's matcher without the pattern engine: those of its patterns that are plain words. */
export interface QuickMatcher {
  readonly tool?: readonly PlainWord[];
  readonly pattern?: readonly PlainWord[];
}

/** Parses a matcher when the plan is made, so that a call needs no regular expression. */
export function quickMatcher({ tool, pattern }: { tool?: string; pattern?: string } = {}): QuickMatcher {
  const toolWords = tool === undefined ? undefined : plainWords(tool);
  const words = pattern === undefined ? undefined : plainWords(pattern);
  return {
    ...(toolWords !== undefined && { tool: toolWords }),
    ...(words !== undefined && { pattern: words }),
  };
}

/**
 * Whether a matcher certainly does not match a call. Words are searched as the engine does. Where only the pattern engine can decide,
 * or the engine itself would leave it undecided, the result is `maybe`.
 */
export function quickMatch({ tool, pattern }: QuickMatcher, name: string, input: Input): QuickMatch {
  if (tool !== undefined && !mayBeTool(tool, name)) return "no";
  if (pattern === undefined) return "maybe";
  const { texts, complete } = inputTexts(input);
  return !complete || texts.some((text) => hasPlainWord(pattern, text)) ? "maybe" : "no";
}

function mayBeTool(words: readonly PlainWord[], name: string): boolean {
  if (name.length > LONGEST_TOOL_NAME || hasPlainWord(words, name)) return true;
  return nativeNames(name).some((native) => isPlainWord(words, native));
}
