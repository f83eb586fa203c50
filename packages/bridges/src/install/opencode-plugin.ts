import { readFileSync } from "node:fs";
import { SET_ASIDE } from "@tenterhook/file-hooks/run";
import { NOT_INSTALLED } from "./entry.ts";
import { setAsidePattern } from "./set-aside.ts";

/** What the installed plugin starts for each event. */
export interface PluginCommand {
  /** The program and its first arguments; `null`: the hook in the home of the current user, if it exists. */
  readonly command: readonly string[] | null;
  /** The further arguments for an event. */
  readonly arguments: (event: string) => readonly string[];
  /** How long the plugin waits for an answer. */
  readonly timeoutMs: number;
  /** The file with the guards that must not be passed over, which decides when the program cannot be started or does not answer. */
  readonly guards: string | null;
}

/** The command's bundle has a copy beside it. */
const TEMPLATE = new URL("./opencode-plugin.template.mjs", import.meta.url);

/**
 * The text of the plugin that OpenCode loads: the template with its settings. OpenCode has no hooks of commands: the plugin starts the bridge
 * for each event, waits for it, and does what it answers. It imports nothing, so that nothing need be installed.
 */
export function pluginText({ command, arguments: argumentsFor, timeoutMs, guards }: PluginCommand): string {
  const settings = {
    command,
    arguments: argumentsFor("$EVENT"),
    timeoutMs,
    guards,
    steering: setAsidePattern(),
    setAside: SET_ASIDE,
    notInstalled: NOT_INSTALLED,
  };
  return readFileSync(TEMPLATE, "utf8")
    .replace(/^const SETTINGS = \{[^}]*\};$/m, () => `const SETTINGS = ${JSON.stringify(settings)};`)
    .replace(/^\/\/# sourceMappingURL=.*$/m, "");
}
