import { existsSync } from "node:fs";
import { guardsFile } from "@tenterhook/file-hooks/discover";
import type { Client } from "../definition/client.ts";
import { argumentsFor, type Entry } from "./entry.ts";
import type { Installation } from "./installation.ts";
import type { EditedEntries, Untouched } from "./json-entries.ts";
import type { PluginCommand } from "./opencode-plugin.ts";
import { PLUGINS } from "./special-clients.ts";

export interface WholeFile {
  readonly client: Client;
  readonly format: "script" | "plugin";
  readonly path: string;
  readonly text: string | undefined;
  readonly entries: readonly Entry[];
  readonly installation: Installation;
  readonly isCommitted: boolean;
}

/** First line of a comment in every file that is ours as a whole. */
export const OWN_FILE = "Written by tenterhook install";

/** Other names that the file of an event may have. */
const ENDINGS = [".sh", ".py", ".js", ".ts", ".ps1", ".bash", ".mjs"];

/** The text of a file that is ours as a whole. A file of another tool is not changed. */
export function wholeFile({
  client,
  format,
  path,
  text,
  entries,
  installation,
  isCommitted,
}: WholeFile): EditedEntries | Untouched {
  if (text !== undefined && !text.includes(OWN_FILE))
    return { problem: "another tool wrote it, and there can be only one" };
  const other =
    format === "script" ? ENDINGS.map((ending) => path + ending).find((each) => existsSync(each)) : undefined;
  if (other !== undefined) return { problem: `another tool wrote ${other} for the same event` };
  const now =
    format === "script"
      ? scriptText(entries[0])
      : PLUGINS[client.id]?.(pluginCommand(client, installation, isCommitted));
  if (now === undefined) return { problem: "it has no plugin to write" };
  const events = entries.map(({ event }) => event);
  return {
    text: now,
    created: [],
    added: text === undefined ? events : [],
    changed: text !== undefined && text !== now ? events : [],
    removed: [],
  };
}

function scriptText(entry: Entry | undefined): string | undefined {
  return entry && `#!/bin/sh\n# ${OWN_FILE}. To remove it: npx tenterhook uninstall\nexec ${entry.command}\n`;
}

function pluginCommand(client: Client, installation: Installation, isCommitted: boolean): PluginCommand {
  const { asked } = client.timeout;
  const scope = isCommitted ? "project" : "user";
  return {
    command: isCommitted ? null : [installation.hook],
    arguments: (event) => argumentsFor({ client, event, timeoutMs: asked, scope }),
    timeoutMs: asked,
    guards: isCommitted ? null : guardsFile(installation.locations.state),
  };
}
