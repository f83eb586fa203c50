/** JavaScript's white space beyond what linear-time engines call so: a guard must not be passed by another kind of blank. */
const MORE = "\\x0b\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";

/** All that is not white space, as ranges: what `\S` means inside a class. */
const NO_SPACE =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}" +
  "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";

/** Writes `\s` and `\S` so that they mean what they mean in JavaScript. */
export function withJavaScriptSpaces(source: string): string {
  let result = "";
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? "";
    if (character === "\\") {
      const escaped = source[++at] ?? "";
      if (escaped === "s") result += inClass ? `\\s${MORE}` : `[\\s${MORE}]`;
      else if (escaped === "S") result += inClass ? NO_SPACE : `[^\\s${MORE}]`;
      else result += `\\${escaped}`;
      continue;
    }
    if (character === "[" && !inClass) inClass = true;
    else if (character === "]" && inClass) inClass = false;
    result += character;
  }
  return result;
}
