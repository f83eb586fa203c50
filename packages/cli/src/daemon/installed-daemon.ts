import { dirname } from "node:path";
import { fileText, installationFor } from "@tenterhook/bridges/install";
import { typedCommand } from "@tenterhook/internal";

/** What the installed script says of its resident process. */
export interface InstalledDaemon {
  readonly folder: string;
  readonly node: string;
  /** The bundle's first file. */
  readonly bridge: string;
}

/** The resident process that the installed script of a user asks; a string says why there is none. */
export function findInstalledDaemon(
  env: Readonly<Record<string, string | undefined>>,
): InstalledDaemon | string {
  const { hook } = installationFor("/", env);
  const text = fileText(hook);
  if (text === undefined)
    return `Nothing is installed. To enforce your hooks in coding agents: ${typedCommand()} install`;
  const [folder, node, bridge] = ["resident_folder", "node", "bridge"].map((name) => findValue(text, name));
  if (node === undefined || bridge === undefined || folder === undefined)
    return `${dirname(hook)} uses no resident process: every call of a coding agent starts a process of its own.`;
  return { folder, node, bridge };
}

/** The value of a variable that the script sets in a line of its own. */
function findValue(text: string, name: string): string | undefined {
  const [, value] = new RegExp(`^${name}=(.+)$`, "m").exec(text) ?? [];
  return value?.startsWith("'") ? value.slice(1, -1).replaceAll("'\\''", "'") : value;
}
