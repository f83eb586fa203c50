import { diffJson } from "diff";

export interface DiffLine {
  readonly sign: "+" | "−" | " ";
  readonly text: string;
}

/** Lines that are shown, or unchanged lines that are folded. */
export type DiffBlock =
  | { readonly type: "lines"; readonly lines: readonly DiffLine[] }
  | { readonly type: "fold"; readonly lines: readonly DiffLine[] };

/** How many unchanged lines are shown around a change; a fold hides at least as many. */
const CONTEXT_LINES = 3;
const MIN_FOLDED = 4;

/** The diff of two large values without similarities is given up after this time. */
const TIMEOUT_MS = 400;

/** What changed between two values, line by line of their JSON with sorted keys; undefined when that takes too long. */
export function jsonDiff(before: unknown, after: unknown): readonly DiffBlock[] | undefined {
  const parts = diffJson(asObject(before), asObject(after), { timeout: TIMEOUT_MS });
  if (parts === undefined) return undefined;
  const lines = parts.flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map((text): DiffLine => ({ sign: added ? "+" : removed ? "−" : " ", text })),
  );
  return folded(lines);
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : { value };
}

function folded(lines: readonly DiffLine[]): readonly DiffBlock[] {
  const isNear = nearChanges(lines);
  const blocks: { type: "lines" | "fold"; lines: DiffLine[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const type = isNear[index] ? "lines" : "fold";
    const last = blocks.at(-1);
    if (last?.type === type) last.lines.push(line);
    else blocks.push({ type, lines: [line] });
  }
  // A fold takes one line itself, so hiding two or three lines gains nothing.
  return joined(
    blocks.map((block) => (block.lines.length < MIN_FOLDED ? { ...block, type: "lines" } : block)),
  );
}

function nearChanges(lines: readonly DiffLine[]): readonly boolean[] {
  const isNear = lines.map(() => false);
  for (const [index, { sign }] of lines.entries()) {
    if (sign !== " ") isNear.fill(true, Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1);
  }
  return isNear;
}

function joined(blocks: readonly DiffBlock[]): readonly DiffBlock[] {
  const result: DiffBlock[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (last?.type === "lines" && block.type === "lines") {
      result[result.length - 1] = { type: "lines", lines: [...last.lines, ...block.lines] };
    } else result.push(block);
  }
  return result;
}
