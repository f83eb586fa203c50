import { isRecord } from "@tenterhook/internal";
import { isSameJson, type JsonObject, valueAt, withValueAt } from "./json-object.ts";

/** A field that both sides changed differently. */
export interface Conflict {
  readonly path: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merge {
  /** What only one side changed is merged; conflicting fields have the saved value. */
  readonly merged: JsonObject;
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  readonly conflicts: readonly Conflict[];
}

/** Objects whose fields are compared one by one: two people may change two hooks of one agent. */
const MERGED_BY_FIELD = new Set(["hooks"]);

/** Merges the user's changes into the newer saved version, field by field. */
export function mergeEdits(base: JsonObject, mine: JsonObject, theirs: JsonObject): Merge {
  const paths = new Set([base, mine, theirs].flatMap(listFields));
  const merge = { merged: theirs, mine: [] as string[], theirs: [] as string[], conflicts: [] as Conflict[] };
  for (const path of paths) {
    const [before, own, other] = [valueAt(base, path), valueAt(mine, path), valueAt(theirs, path)];
    if (isSameJson(own, other)) continue;
    if (isSameJson(before, own)) {
      merge.theirs.push(path);
    } else if (isSameJson(before, other)) {
      merge.mine.push(path);
      merge.merged = withValueAt(merge.merged, path, own);
    } else {
      merge.conflicts.push({ path, mine: own, theirs: other });
    }
  }
  return merge;
}

export type Choices = Readonly<Record<string, "mine" | "theirs">>;

/** The merge with the user's choices for the conflicts; `undefined` until every conflict has one. */
export function resolveMerge({ merged, conflicts }: Merge, choices: Choices): JsonObject | undefined {
  let value = merged;
  for (const { path, mine } of conflicts) {
    const choice = choices[path];
    if (choice === undefined) return undefined;
    if (choice === "mine") value = withValueAt(value, path, mine);
  }
  return value;
}

function listFields(object: JsonObject): string[] {
  return Object.entries(object).flatMap(([key, value]) =>
    MERGED_BY_FIELD.has(key) && isRecord(value)
      ? Object.keys(value).map((inner) => `${key}.${inner}`)
      : [key],
  );
}
