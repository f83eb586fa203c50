import type { Client } from "@tenterhook/bridges";
import { holdingIn } from "@tenterhook/bridges/install";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import type { Finding, HookFile } from "@tenterhook/protocol";
import { scriptOf } from "../clients/shown-holdings.ts";

/** Warnings about the parts of a hook that do not hold in a coding agent. */
export function holdingFindings(client: Client, folder: string, hook: HookFile): readonly Finding[] {
  const { how, why } = holdingIn(client, hook, scriptOf(folder, hook));
  return why.map((reason) => ({
    severity: "warning",
    file: hookFileIn(folder),
    message: `holds ${how} in ${client.name}: ${reason}`,
  }));
}
