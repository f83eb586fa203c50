import { inputTexts, LONGEST_TOOL_NAME, plainSearch } from "@tenterhook/engine";
import type { Input } from "../normalise/tool-calls.ts";

/** The result of a matcher, as far as it is known without the pattern engine. */
export type QuickMatch = "no" | "maybe";

/**
 * Whether a HOOK.md's matcher certainly does not match a call. Patterns of plain words are searched as the engine does. Where only the
 * pattern engine can decide, or the engine itself would leave it undecided, the result is `maybe`.
 */
export function quickMatch(
  { tool, pattern }: { readonly tool?: string; readonly pattern?: string },
  name: string,
  input: Input,
): QuickMatch {
  if (tool !== undefined && name.length <= LONGEST_TOOL_NAME && plainSearch(tool)?.(name) === false)
    return "no";
  const search = pattern === undefined ? undefined : plainSearch(pattern);
  if (search === undefined) return "maybe";
  const { texts, complete } = inputTexts(input);
  return !complete || texts.some(search) ? "maybe" : "no";
}
