/** A set of paths: `*` and `?` within a name, `**` for any number of names; `/**` at the end has the folder itself, too. */
export interface PathPattern {
  readonly text: string;
  readonly segments: readonly string[];
}

const HOMES = ["~", "/home/*", "/Users/*", "/root"];

/** `~/` stands for every user's home folder. */
export function compilePatterns(list: string): readonly PathPattern[] {
  const texts = list.trim().split(/\s+/);
  return texts
    .flatMap((text) => (text.startsWith("~/") ? HOMES.map((home) => home + text.slice(1)) : [text]))
    .map((text) => ({ text, segments: text.split("/") }));
}

/** The glob of a rule, joined with its folder. */
export function compileGlob(glob: string): PathPattern {
  const segments: string[] = [];
  for (const segment of glob.split("/")) {
    if (segment === ".." && segments.at(-1) !== "**") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  const text = `${/^\/*[A-Za-z]:/.test(glob) ? "" : "/"}${segments.join("/")}`;
  return { text, segments: text.split("/") };
}

/** Whether a path, or the names that it consists of, is in a pattern, and all that a path with wildcards could name. */
export function coversPath({ segments }: PathPattern, path: string | readonly string[]): boolean {
  const names = typeof path === "string" ? path.split("/") : path;
  return covers(segments, names, "**", coversName);
}

/** Whether a name is in a pattern. What stands for any letters or folders is no single letter, and no single name. */
export function coversName(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern) || name === "**") return pattern === name;
  return covers(pattern, name, "*", (letter, other) => letter === other || (letter === "?" && other !== "*"));
}

/** Whether each part of a pattern fits, where `star` stands for any number of them: only the last one has to be tried again. */
function covers(
  pattern: string | readonly string[],
  parts: string | readonly string[],
  star: string,
  fits: (part: string, other: string) => boolean,
): boolean {
  let at = 0;
  let lastStar = -1;
  let behind = 0;
  for (let index = 0; index < parts.length; ) {
    const part = pattern[at];
    if (part === star) {
      lastStar = at++;
      behind = index;
    } else if (part !== undefined && fits(part, parts[index] ?? "")) {
      at++;
      index++;
    } else if (lastStar >= 0) {
      at = lastStar + 1;
      index = ++behind;
    } else return false;
  }
  while (pattern[at] === star) at++;
  return at === pattern.length;
}

/** Whether a path with wildcards could name something in a pattern. */
export function overlapsPath(pattern: PathPattern, path: string): boolean {
  const segments = path.split("/");
  // A bare `*` stands for usual names, not for every kind of file that can be anywhere.
  if (pattern.segments[0] === "**" && segments.at(-1) === "*") return false;
  return overlapSegments(pattern.segments, 0, segments, 0, { steps: 2_000 });
}

function overlapSegments(
  left: readonly string[],
  i: number,
  right: readonly string[],
  j: number,
  budget: { steps: number },
): boolean {
  // Beyond its steps it counts as matching.
  if (--budget.steps < 0) return true;
  if (i === left.length && j === right.length) return true;
  if (left[i] === "**")
    return (
      overlapSegments(left, i + 1, right, j, budget) ||
      (j < right.length && overlapSegments(left, i, right, j + 1, budget))
    );
  if (right[j] === "**") {
    // Any folder could have any name: for a pattern that holds everywhere, a name has to be there.
    const mayBeBelow = i < left.length && (left[0] !== "**" || /[*?]/.test(left[i] ?? ""));
    return (
      overlapSegments(left, i, right, j + 1, budget) ||
      (mayBeBelow && overlapSegments(left, i + 1, right, j, budget))
    );
  }
  if (i === left.length || j === right.length) return false;
  return overlapNames(left[i] ?? "", right[j] ?? "") && overlapSegments(left, i + 1, right, j + 1, budget);
}

/** Beyond it, two names count as the same. */
const MAX_COMPARED = 20_000;

/** Whether two names with wildcards can be the same. A leading wildcard of the second is no dot. */
function overlapNames(left: string, right: string): boolean {
  if (left === right) return true;
  if (left.startsWith(".") && /^[*?[]/.test(right)) return false;
  const a = right.replace(/\[[^\]]*\]?/g, "?");
  if (left.length * a.length > MAX_COMPARED) return true;
  // reachable[j]: the beginning of `left` so far can be the same as the first j characters of `a`.
  let reachable = [true];
  for (let j = 0; j < a.length; j++) reachable.push(reachable[j] === true && a[j] === "*");
  for (const letter of left) {
    const next = [letter === "*" && reachable[0] === true];
    for (let j = 1; j <= a.length; j++) {
      const other = a[j - 1];
      const both = letter === other || letter === "?" || other === "?";
      next.push(
        letter === "*" || other === "*"
          ? reachable[j] === true || next[j - 1] === true || reachable[j - 1] === true
          : both && reachable[j - 1] === true,
      );
    }
    reachable = next;
  }
  return reachable[a.length] === true;
}
