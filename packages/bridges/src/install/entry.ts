import { shellWord } from "@tenterhook/internal";
import { fill } from "../call/encode/encode.ts";
import type { Client } from "../definition/client.ts";
import type { EntryForm } from "../definition/configuration.ts";
import type { NativeEvent } from "../definition/events.ts";

/** The entry in a client's configuration for one of its events. */
export interface Entry {
  /** The client's name of the event. */
  readonly event: string;
  readonly command: string;
  /** The entry as the client reads it. */
  readonly value: unknown;
}

/** The events that a client is asked to call us at. */
export function installedEvents({ events }: Client): readonly (readonly [string, NativeEvent])[] {
  return Object.entries(events).filter(([, event]) => event.isInstalled ?? event.events.length > 0);
}

/** How long a client is asked to wait at an event, in milliseconds. */
export function askedMs({ timeout }: Client, event: NativeEvent): number {
  return event.timeout?.asked ?? timeout.asked;
}

interface EntryOptions {
  /** The command line for an event. */
  readonly commandFor: (event: string, timeoutMs: number) => string;
  /** The events at which the client shall refuse when the hook itself fails. */
  readonly failClosed: ReadonlySet<string>;
}

/** The entries of a client, in the order of its events. */
export function entriesFor(client: Client, { commandFor, failClosed }: EntryOptions): readonly Entry[] {
  const { entry: form } = client.configuration;
  return installedEvents(client).map(([event, native]) => {
    const timeoutMs = askedMs(client, native);
    const command = commandFor(event, timeoutMs);
    const value = fill(form.entry, {
      event,
      command,
      timeout: form.timeoutUnit === "s" ? Math.round(timeoutMs / 1_000) : timeoutMs,
      matcher: native.matcher,
    });
    return {
      event,
      command,
      value: failClosed.has(event) ? withFailClosed(value, command, form.failClosed) : value,
    };
  });
}

/** The keys that lead to the list of an event's entries. */
export function listPath({ at }: EntryForm, event: string): readonly string[] {
  return at.map((key) => (key === "$event" ? event : key));
}

/** The event that a command of ours is for, if it is one. */
export function ownEvent(client: string, command: unknown): string | undefined {
  if (typeof command !== "string") return undefined;
  const [, named, event] =
    /tenterhook-bridge[\\/]hook\b[\s\S]*? --client (\S+) --event (\S+)/.exec(command) ?? [];
  return named === client ? event : undefined;
}

/** The command of ours in a part of a configuration, at any depth. */
export function ownCommandIn(client: string, value: unknown): string | undefined {
  if (typeof value === "string") return ownEvent(client, value) === undefined ? undefined : value;
  if (typeof value !== "object" || value === null) return undefined;
  for (const part of Object.values(value)) {
    const found = ownCommandIn(client, part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Adds the client's fail-closed switch to the object that has the command. */
function withFailClosed(value: unknown, command: string, failClosed: EntryForm["failClosed"]): unknown {
  if (typeof value !== "object" || value === null) return value;
  const changed = (part: unknown) => withFailClosed(part, command, failClosed);
  if (Array.isArray(value)) return value.map(changed);
  const parts = Object.entries(value).map(([key, part]) => [key, changed(part)] as const);
  const isHandler = Object.values(value).includes(command);
  return { ...Object.fromEntries(parts), ...(isHandler && failClosed) };
}

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
  const program = process.platform === "win32" ? `"${hook}"` : shellWord(hook);
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
