import { shellWord } from "@tenterhook/internal";
import type { Client } from "../definition/client.ts";
import { fileText } from "./client-files.ts";
import { hookCommand, ownCommandIn } from "./entry.ts";
import type { InstalledFile } from "./install-record.ts";
import type { Installation } from "./installation.ts";
import { lists, ownEntries } from "./json-entries.ts";
import { readJson } from "./json-text.ts";
import { ownSections, readToml } from "./toml-entries.ts";

/** The command line that a client's file has for an event now. */
export function installedCommand(
  client: Client,
  file: InstalledFile,
  event: string,
  installation: Installation,
): string | undefined {
  const text = fileText(file.target);
  const { entry: form, files } = client.configuration;
  const format = files[0]?.format;
  if (text === undefined || file.kind === "trust") return undefined;
  if (format === "script") return file.path.endsWith(`/${event}`) ? shellWord(file.target) : undefined;
  if (format === "plugin")
    return hookCommand(installation.hook, { client, event, timeoutMs: client.timeout.asked, scope: "user" });
  if (format === "toml") {
    const section = ownSections(text, client.id, form.at[0] ?? "hooks").find((each) => each.event === event);
    return ownCommandIn(client.id, section?.value);
  }
  const at = { client: client.id, form, format: format === "jsonc" ? ("jsonc" as const) : ("json" as const) };
  return ownEntries(text, at).find((entry) => entry.event === event)?.command;
}

/** A hook of another tool at an event. */
export interface ForeignHook {
  readonly event: string;
  readonly command: string;
}

/** The hooks of other tools in a client's file, by event. */
export function foreignHooks(client: Client, path: string): readonly ForeignHook[] {
  const text = fileText(path);
  const { entry: form, files } = client.configuration;
  const format = files[0]?.format;
  if (text === undefined || format === "script" || format === "plugin") return [];
  if (format === "toml") {
    const table = readToml(text);
    const items =
      typeof table === "string"
        ? []
        : ((table[form.at[0] ?? "hooks"] ?? []) as readonly Record<string, unknown>[]);
    return items
      .filter((item) => ownCommandIn(client.id, item) === undefined)
      .map(({ event, command }) => ({ event: String(event), command: String(command) }));
  }
  const read = readJson(text, format === "jsonc" ? "jsonc" : "json");
  if (typeof read === "string") return [];
  return lists(read.value, form).flatMap(({ path: at, items }) =>
    items
      .flatMap((item) => commandsIn(item))
      .filter((command) => ownCommandIn(client.id, command) === undefined)
      .map((command) => ({ event: at.at(-1) ?? "", command })),
  );
}

function commandsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    typeof part === "string" ? (["command", "bash"].includes(key) ? [part] : []) : commandsIn(part),
  );
}

/** The value at some keys of a client's file; `undefined` also when the file cannot be read. */
export function settingAt(path: string, keys: readonly string[]): unknown {
  const text = fileText(path);
  if (text === undefined) return undefined;
  let value: unknown = path.endsWith(".toml") ? readToml(text) : Object(readJson(text, "jsonc")).value;
  for (const key of keys) value = Object(value)[key];
  return value;
}
