import type { Client } from "../shape/client.ts";
import { quoted } from "./hook-script.ts";

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

/** Said where a project's hooks are known but Tenterhook is not installed. */
export const NOT_INSTALLED =
  "tenterhook: this project has hooks, but Tenterhook is not installed for you, so they do not hold; run: npx tenterhook install";

/** What stands in a file that teammates share: their own hook, and where they have none a message. */
export function committedCommand(options: CommandOptions): string {
  const script = `h="$HOME/.local/share/tenterhook-bridge/hook"; [ -x "$h" ] && exec "$h" "$@"; echo "${NOT_INSTALLED}" >&2`;
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
