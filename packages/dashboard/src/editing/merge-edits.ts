import { isJsonObject, isSameJson, type JsonObject, valueAt, withValueAt } from "./json-object.ts";

/** A field that both have changed, and not in the same way. */
export interface Clash {
  readonly path: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merge {
  /** Everything that only one side changed is as that side has it; where they clash it is as it was read. */
  readonly merged: JsonObject;
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  readonly clashes: readonly Clash[];
}

/** Objects whose fields are compared one by one: two people may change two hooks of one agent. */
const OPENED = new Set(["hooks"]);

/** Puts my edit of something on top of theirs, field by field. */
export function mergeEdits(base: JsonObject, mine: JsonObject, theirs: JsonObject): Merge {
  const paths = new Set([base, mine, theirs].flatMap(fieldsOf));
  const merge = { merged: theirs, mine: [] as string[], theirs: [] as string[], clashes: [] as Clash[] };
  for (const path of paths) {
    const [was, is, other] = [valueAt(base, path), valueAt(mine, path), valueAt(theirs, path)];
    if (isSameJson(is, other)) continue;
    if (isSameJson(was, is)) {
      merge.theirs.push(path);
    } else if (isSameJson(was, other)) {
      merge.mine.push(path);
      merge.merged = withValueAt(merge.merged, path, is);
    } else {
      merge.clashes.push({ path, mine: is, theirs: other });
    }
  }
  return merge;
}

export type Choices = Readonly<Record<string, "mine" | "theirs">>;

/** The merge with what a person chose where it clashed; `undefined` until everything is chosen. */
export function settled({ merged, clashes }: Merge, choices: Choices): JsonObject | undefined {
  let value = merged;
  for (const { path, mine } of clashes) {
    const choice = choices[path];
    if (choice === undefined) return undefined;
    if (choice === "mine") value = withValueAt(value, path, mine);
  }
  return value;
}

function fieldsOf(object: JsonObject): string[] {
  return Object.entries(object).flatMap(([key, value]) =>
    OPENED.has(key) && isJsonObject(value) ? Object.keys(value).map((inner) => `${key}.${inner}`) : [key],
  );
}
