import type { Client } from "../definition/client.ts";
import { quoted } from "./hook-script.ts";

/** Printed where a project's hooks are known but Tenterhook is not installed. */
export const NOT_INSTALLED =
  "tenterhook: this project has hooks, but Tenterhook is not installed for you, so they are not enforced; run: npx tenterhook install";

export interface CommandOptions {
  readonly client: Client;
  readonly event: string;
  readonly timeoutMs: number;
  readonly scope: "user" | "project";
}

/** What a client starts: the hook of this user, by its absolute path. */
export function hookCommand(hook: string, options: CommandOptions): string {
  const program = process.platform === "win32" ? `"${hook}"` : quoted(hook);
  return `${program} ${argumentsFor(options).join(" ")}`;
}

/**
 * The command in a file that teammates share. It starts the hook of the current user's own installation, or prints a message when
 * there is none.
 */
export function committedCommand(options: CommandOptions): string {
  const folders = `"\${XDG_DATA_HOME:-/}" "$HOME/.local/share"`;
  const found = `h="$d/tenterhook-bridge/hook"; [ -x "$h" ] && exec "$h" "$@"`;
  const script = `for d in ${folders}; do ${found}; done; echo "${NOT_INSTALLED}" >&2`;
  return `/bin/sh -c '${script}' sh ${argumentsFor(options).join(" ")}`;
}

/** The options of an event; a client that runs identical commands once must find the user's and the project's alike. */
export function argumentsFor({ client, event, timeoutMs, scope }: CommandOptions): readonly string[] {
  const { mergesIdentical } = client.configuration;
  return [
    ...["--client", client.id],
    ...["--event", event],
    ...["--timeout", String(Math.round(timeoutMs / 1_000))],
    ...(mergesIdentical ? [] : ["--entry", scope]),
  ];
}
