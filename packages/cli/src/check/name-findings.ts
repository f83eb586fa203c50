import { basename } from "node:path";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import type { Finding } from "@tenterhook/protocol";
import { normalName } from "@tenterhook/protocol/internal";

/** Problems of a hook's name. */
export function nameFindings(folder: string, name: string): readonly Finding[] {
  const messages = [
    ...(/^-|-$/.test(name) ? ["the name should not begin or end with a hyphen"] : []),
    ...(name.includes("--") ? ["the name should not have two hyphens in a row"] : []),
    ...(name === normalName(basename(folder))
      ? []
      : [`the name is ${name}, but the folder is ${basename(folder)}; use the same name for both`]),
  ];
  const file = hookFileIn(folder);
  return messages.map((message) => ({ severity: "warning", file, field: "name", message }));
}
