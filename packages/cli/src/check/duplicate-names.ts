import { dirname } from "node:path";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import type { Finding } from "@tenterhook/protocol";

/** A hook's folder and the name that its HOOK.md gives. */
export interface NamedFolder {
  readonly folder: string;
  readonly name: string;
}

/** Hooks with the name of another hook in the same root: none of them is used. */
export function duplicateNames(hooks: readonly NamedFolder[]): readonly Finding[] {
  const keyOf = ({ folder, name }: NamedFolder) => JSON.stringify([dirname(folder), name]);
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const key of hooks.map(keyOf)) (seen.has(key) ? shared : seen).add(key);
  return hooks
    .filter((each) => shared.has(keyOf(each)))
    .map(({ folder, name }): Finding => {
      const message = `there is another hook named ${name} in the same folder, so this one is not used; rename one of them`;
      return { severity: "error", file: hookFileIn(folder), field: "name", message };
    });
}
