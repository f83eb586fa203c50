/** Where a text occurs in another. */
export interface Occurrences {
  /** The count with overlaps: "aa" occurs twice in "aaa", so it is ambiguous there. */
  readonly count: number;
  /** The starts of occurrences that do not overlap with an earlier one. */
  readonly starts: readonly number[];
}

/**
 * Finds a text in another in time proportional to their lengths (Knuth, Morris, Pratt). `indexOf` takes the product of the lengths
 * for hostile texts: minutes for a file of a few megabytes.
 */
export function occurrences(text: string, sought: string): Occurrences {
  const borders = findBorders(sought);
  const starts: number[] = [];
  let count = 0;
  let end = 0;
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== sought.charCodeAt(matched))
      matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(at) === sought.charCodeAt(matched)) matched++;
    if (matched < sought.length) continue;
    count++;
    const start = at + 1 - matched;
    if (start >= end) {
      starts.push(start);
      end = at + 1;
    }
    matched = borders[matched - 1] ?? 0;
  }
  return { count, starts };
}

/** For each prefix of a text, the length of its longest proper prefix that is also its suffix. */
function findBorders(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let border = 0;
  for (let at = 1; at < text.length; at++) {
    while (border > 0 && text.charCodeAt(at) !== text.charCodeAt(border)) border = borders[border - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(border)) border++;
    borders[at] = border;
  }
  return borders;
}
