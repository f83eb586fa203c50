import { structuredPatch } from "diff";

export interface DiffLine {
  readonly type: "same" | "added" | "removed" | "gap";
  readonly text: string;
}

const MARKS: Readonly<Record<string, DiffLine["type"]>> = { "+": "added", "-": "removed", " ": "same" };

/** Two texts line by line, with a little of what stays the same around what does not. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const { hunks } = structuredPatch("", "", `${before}\n`, `${after}\n`, undefined, undefined, {
    context: 2,
  });
  return hunks.flatMap(({ lines }, index) => [
    ...(index === 0 ? [] : [{ type: "gap", text: "⋯" } as const]),
    ...lines.flatMap((line) => {
      const type = MARKS[line.charAt(0)];
      return type === undefined ? [] : [{ type, text: line.slice(1) }];
    }),
  ]);
}
