import type { Input } from "../normalise/tool-calls.ts";

/** What a matcher says, as far as that can be told without the pattern engine. */
export type QuickMatch = "no" | "maybe";

/** An alternative that is plain text, anchored or not. */
const PLAIN = /^(\^?)([A-Za-z0-9_-]+)(\$?)$/;
/** A text with nothing in it that means something in a pattern. */
const LITERAL = /^[^\\^$.|?*+()[\]{}]+$/;

/** Whether a HOOK.md's matcher certainly does not match a call. What only the pattern engine can tell is a maybe. */
export function quickMatch(
  { tool, pattern }: { readonly tool?: string; readonly pattern?: string },
  name: string,
  input: Input,
): QuickMatch {
  if (tool !== undefined && !mayMatchName(tool, name)) return "no";
  if (pattern !== undefined && LITERAL.test(pattern) && !mayContain(input, pattern)) return "no";
  return "maybe";
}

function mayMatchName(pattern: string, name: string): boolean {
  return pattern.split("|").some((alternative) => {
    const [, start, text, end] = PLAIN.exec(alternative) ?? [];
    if (text === undefined) return true;
    if (start && end) return name === text;
    if (start) return name.startsWith(text);
    return end ? name.endsWith(text) : name.includes(text);
  });
}

/** The engine looks into every text of an input and into the whole as JSON; a text is in one of them only if it is in the JSON. */
function mayContain(input: Input, text: string): boolean {
  const json = JSON.stringify(input);
  return json.includes(text) || json.includes(JSON.stringify(text).slice(1, -1));
}
