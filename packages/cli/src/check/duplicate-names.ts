import { dirname } from "node:path";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import type { Finding } from "@tenterhook/protocol";

/** A hook's folder and the name that its HOOK.md gives. */
export interface NamedFolder {
  readonly folder: string;
  readonly name: string;
}

/** Hooks with the name of another hook in the same root; the first of each name is kept. */
export function duplicateNames(hooks: readonly NamedFolder[]): readonly Finding[] {
  const seen = new Set<string>();
  return hooks.flatMap(({ folder, name }): Finding[] => {
    const key = JSON.stringify([dirname(folder), name]);
    const isFirst = !seen.has(key);
    seen.add(key);
    if (isFirst) return [];
    const message = `there is another hook named ${name} in the same folder; rename one of them`;
    return [{ severity: "error", file: hookFileIn(folder), field: "name", message }];
  });
}
