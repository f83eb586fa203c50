/** A set of paths: `*` within a name, `**` for any number of names; `/**` at the end has the folder itself, too. */
export interface PathPattern {
  readonly text: string;
  readonly expression: { test(path: string): boolean };
  readonly segments: readonly string[];
}

const HOMES = ["~", "/home/*", "/Users/*", "/root"];

/** `~/` stands for every user's home folder. */
export function compilePatterns(list: string): readonly PathPattern[] {
  const texts = list.trim().split(/\s+/);
  return texts
    .flatMap((text) => (text.startsWith("~/") ? HOMES.map((home) => home + text.slice(1)) : [text]))
    .map((text) => ({ text, expression: toExpression(text), segments: text.split("/") }));
}

/** The glob of a rule, joined with its folder. It takes no time for long paths, unlike an expression: a rule may have many stars. */
export function compileGlob(glob: string): PathPattern {
  const segments: string[] = [];
  for (const segment of glob.split("/")) {
    if (segment === ".." && segments.at(-1) !== "**") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  const text = `${/^\/*[A-Za-z]:/.test(glob) ? "" : "/"}${segments.join("/")}`;
  const parts = text.split("/");
  return { text, segments: parts, expression: { test: (path) => coversSegments(parts, path.split("/")) } };
}

/** `**` stands for any number of names, `/**` at the end for the folder itself, too. */
function coversSegments(pattern: readonly string[], path: readonly string[]): boolean {
  return isSequence(pattern, path, "**", (part, name) =>
    name === "**" ? part === name : matchesWildcards(part, name),
  );
}

/** Whether a name is one of a pattern with `*` and `?`. A `*` of the name is no single letter. */
export function matchesWildcards(pattern: string, name: string): boolean {
  return isSequence(
    [...pattern],
    [...name],
    "*",
    (part, letter) => part === letter || (part === "?" && letter !== "*"),
  );
}

/** Whether a sequence is matched by one in which `any` stands for any number. Only the last `any` is tried again. */
function isSequence(
  pattern: readonly string[],
  sequence: readonly string[],
  any: string,
  isSame: (part: string, item: string) => boolean,
): boolean {
  let at = 0;
  let retry = -1;
  let retried = 0;
  for (let index = 0; index < sequence.length; ) {
    const part = pattern[at];
    if (part === any) {
      retry = ++at;
      retried = index;
    } else if (part !== undefined && isSame(part, sequence[index] ?? "")) {
      at++;
      index++;
    } else if (retry >= 0) {
      at = retry;
      index = ++retried;
    } else return false;
  }
  while (pattern[at] === any) at++;
  return at === pattern.length;
}

/** Whether a path is in a pattern, and all that a path with wildcards could name. */
export function coversPath({ expression }: PathPattern, path: string): boolean {
  return expression.test(path);
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
  if (right[j] === "**")
    return (
      overlapSegments(left, i, right, j + 1, budget) ||
      (i < left.length && overlapSegments(left, i + 1, right, j, budget))
    );
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

function toExpression(pattern: string): RegExp {
  let source = "";
  for (let at = 0; at < pattern.length; at++) {
    const rest = pattern.slice(at);
    if (rest === "/**") return new RegExp(`^${source}(?:/.*)?$`, "s");
    if (rest.startsWith("**/")) {
      source += "(?:.*/)?";
      at += 2;
    } else if (rest.startsWith("**")) {
      source += ".*";
      at++;
    } else if (rest.startsWith("*")) source += "[^/]*";
    else if (rest.startsWith("?")) source += "[^/]";
    else source += (pattern[at] ?? "").replace(/[.+^${}()|[\]\\]/, "\\$&");
  }
  return new RegExp(`^${source}$`, "s");
}
