/** A hook's frontmatter is a page at most; a larger one is not read before every event. */
export const LONGEST_FRONTMATTER = 16 * 1024;

/** How much the parser may be given of one file, in marks (see `weightOf`). A large hook has a few hundred. */
const MAX_MARKS = 1_000;

/** How deep lists and objects may be nested, as written and as read. */
const DEEPEST = 32;

/** How many values frontmatter may have once its aliases are followed. */
const MAX_VALUES = 4_000;

/** Many list or key marks in one line: nesting without brackets and without indentation. */
const STEEP = new RegExp(`(?:[-?:][ \\t]+){${DEEPEST}}`);

/**
 * What parsing a YAML text costs at most: the number of its characters that can begin or end something. The parser takes
 * up to 40 µs for each, and next to nothing for the others.
 */
export function weightOf(yaml: string): number {
  let weight = 1;
  for (let at = 0; at < yaml.length; at++) if (MARKS.has(yaml.charCodeAt(at))) weight++;
  return weight;
}

/** Why a YAML text must not be given to the parser, which takes seconds over some and overflows its stack on others. */
export function unparsable(yaml: string): string | undefined {
  if (weightOf(yaml) > MAX_MARKS)
    return `it has more than ${MAX_MARKS} marks such as commas, colons and brackets; shorten it`;
  if (bracketDepth(yaml) > DEEPEST || STEEP.test(yaml))
    return `it is nested more than ${DEEPEST} levels deep; flatten it`;
  return undefined;
}

/** Why a value that was read must not be used: an alias can refer to itself, or stand for a thousand copies. */
export function unusable(value: unknown): string | undefined {
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let values = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (++values > MAX_VALUES) return `it stands for more than ${MAX_VALUES} values; use fewer aliases`;
    if (next.depth > DEEPEST) return `it is nested more than ${DEEPEST} levels deep, or contains itself`;
    if (typeof next.value !== "object" || next.value === null) continue;
    const depth = next.depth + 1;
    for (const inner of Object.values(next.value)) left.push({ value: inner, depth });
  }
  return undefined;
}

/** By every bracket, also quoted ones: a text has to be odd to be refused wrongly. */
function bracketDepth(yaml: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of yaml) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if ((character === "]" || character === "}") && depth > 0) depth--;
  }
  return deepest;
}

const MARKS = new Set([...`[]{},-?:&*!%\\#'"|>\n\r\t`].map((mark) => mark.charCodeAt(0)));
