import type { Client } from "@tenterhook/bridges";
import { findEnforcement } from "@tenterhook/bridges/coverage";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import type { Finding, HookFile } from "@tenterhook/protocol";
import { scriptOf } from "../clients/enforcement.ts";

/** Warnings about the parts of a hook that a coding agent does not enforce. */
export function enforcementFindings(client: Client, folder: string, hook: HookFile): readonly Finding[] {
  const { how, why } = findEnforcement(client, hook, scriptOf(folder, hook));
  return why.map((reason) => ({
    severity: "warning",
    file: hookFileIn(folder),
    message: `is ${how === "partly" ? "enforced partly" : "not enforced"} in ${client.name}: ${reason}`,
  }));
}
