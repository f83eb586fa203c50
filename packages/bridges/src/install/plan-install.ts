import { dirname, join } from "node:path";
import type { Client } from "../definition/client.ts";
import {
  type ClientFile,
  clientFiles,
  type FileLocation,
  findFile,
  type InstallScope,
} from "./client-files.ts";
import { committedCommand, type Entry, entriesFor, hookCommand, installedEvents } from "./entry.ts";
import type { FileKind, InstalledFile } from "./install-record.ts";
import type { Installation } from "./installation.ts";
import { ownEntries, putJsonEntries } from "./json-entries.ts";
import { HASH_TRUST, type HashTrust } from "./special-clients.ts";
import { ownSections, putTomlEntries } from "./toml-entries.ts";
import { OWN_FILE, wholeFile } from "./whole-file.ts";

/** The planned change of one file. */
export interface FilePlan {
  readonly client: Client;
  readonly scope: InstallScope;
  readonly path: string;
  readonly kind: FileKind;
  /** Why the file is not changed. */
  readonly problem?: string;
  readonly target: string;
  readonly before?: string;
  readonly after: string;
  readonly mode: number;
  /** The file's mode now. */
  readonly modeBefore?: number;
  readonly created: InstalledFile["created"];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly commands: Readonly<Record<string, string>>;
  readonly trust?: InstalledFile["trust"];
  /** The file is committed with the project. */
  readonly isCommitted: boolean;
  /** It already had entries of ours. */
  readonly hadOwn: boolean;
}

export interface InstallRequest {
  readonly installation: Installation;
  readonly files: FileLocation;
  readonly scope: InstallScope;
  /** The events of ours at which a guard must not be passed over. */
  readonly guarded: ReadonlySet<string>;
}

/** What installing a client would change, file by file; nothing is written. */
export function planInstall(client: Client, request: InstallRequest): readonly FilePlan[] {
  const { installation, files: at, scope, guarded } = request;
  const files = clientFiles(client, scope, at);
  const isCommitted = files.some(({ file }) => file.scope === "project");
  const failClosed = new Set(
    installedEvents(client)
      .filter(([, native]) => native.events.some((event) => guarded.has(event)))
      .map(([event]) => event),
  );
  const commandFor = (event: string, timeoutMs: number) => {
    const options = { client, event, timeoutMs, scope };
    return isCommitted ? committedCommand(options) : hookCommand(installation.hook, options);
  };
  const entries = entriesFor(client, { commandFor, failClosed });
  const plans: FilePlan[] = [];
  for (const file of files) plans.push(planFile(client, file, entries, request, isCommitted));
  const [main] = plans;
  const trust = HASH_TRUST[client.id];
  if (trust !== undefined && main !== undefined && main.problem === undefined)
    plans.push(planTrust(client, trust, main, request));
  return plans;
}

/** The plan for a file that is not changed. */
function leftAlone(plan: Pick<FilePlan, "client" | "scope" | "path" | "kind">, problem: string): FilePlan {
  return {
    ...plan,
    problem,
    target: plan.path,
    after: "",
    mode: 0,
    created: [],
    added: [],
    changed: [],
    removed: [],
    commands: {},
    isCommitted: false,
    hadOwn: false,
  };
}

/** Whether a plan changes its file. */
export function isChange({ problem, before, after, mode, modeBefore = mode }: FilePlan): boolean {
  return problem === undefined && (before !== after || mode !== modeBefore);
}

function planFile(
  client: Client,
  { file, path, event }: ClientFile,
  entries: readonly Entry[],
  { files: at, scope, installation }: InstallRequest,
  isCommitted: boolean,
): FilePlan {
  const isScript = file.format === "script";
  const isWhole = isScript || file.format === "plugin";
  const common = { client, scope, path, kind: isWhole ? "whole" : "entries" } as const;
  const found = findFile(path, at, file.home?.variable);
  if (typeof found === "string") return leftAlone(common, found);
  const mine = event === undefined ? entries : entries.filter((entry) => entry.event === event);
  const { text: raw } = found;
  const bom = raw?.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = raw?.slice(bom.length);
  const edited = isWhole
    ? wholeFile({
        client,
        format: file.format as "script" | "plugin",
        path,
        text,
        entries: mine,
        installation,
        isCommitted,
      })
    : editedEntries(client, file.format as "json" | "jsonc" | "toml", text, file.empty, mine);
  if ("problem" in edited) return leftAlone(common, edited.problem);
  return {
    ...common,
    target: found.target,
    ...(raw !== undefined && { before: raw }),
    after: bom + edited.text,
    mode: isScript ? (found.mode ?? 0o755) | 0o100 : (found.mode ?? (scope === "user" ? 0o600 : 0o644)),
    ...(found.mode !== undefined && { modeBefore: found.mode }),
    created: edited.created,
    added: edited.added,
    changed: edited.changed,
    removed: edited.removed,
    commands: Object.fromEntries(mine.map((entry) => [entry.event, entry.command])),
    isCommitted,
    hadOwn: text !== undefined && containsOwn(client, file.format, text),
  };
}

/** What the client must record before it runs the entries. It is in the user's own file for both scopes. */
function planTrust(
  client: Client,
  trust: HashTrust,
  main: FilePlan,
  { files: at, scope }: InstallRequest,
): FilePlan {
  const [user] = clientFiles(client, "user", at);
  const path = join(dirname(user?.path ?? main.path), trust.file);
  const common = { client, scope, path, kind: "trust" } as const;
  const found = findFile(path, at, user?.file.home?.variable);
  if (typeof found === "string") return leftAlone(common, found);
  const entries = trust.entriesIn(main.path, main.after, client.configuration.entry);
  const put = trust.put(found.text ?? "", entries);
  if ("problem" in put) return leftAlone(common, put.problem);
  const events = entries.filter(({ key }) => put.changed.includes(key)).map(({ event }) => event);
  return {
    ...common,
    target: found.target,
    ...(found.text !== undefined && { before: found.text }),
    after: put.text,
    mode: found.mode ?? 0o600,
    created: [],
    added: [...new Set(events)],
    changed: [],
    removed: [],
    commands: {},
    trust: entries.map(({ key, hash }) => ({ key, hash })),
    isCommitted: false,
    hadOwn: entries.length > events.length,
  };
}

function editedEntries(
  client: Client,
  format: "json" | "jsonc" | "toml",
  text: string | undefined,
  empty: unknown,
  entries: readonly Entry[],
) {
  const { entry: form } = client.configuration;
  const isEmpty = text === undefined || text.trim() === "";
  if (format === "toml")
    return putTomlEntries(text ?? "", entries, { client: client.id, list: form.at[0] ?? "hooks" });
  const begun = isEmpty ? `${JSON.stringify(empty ?? {}, undefined, 2)}\n` : text;
  return putJsonEntries(begun, entries, { client: client.id, form, format });
}

/** Whether a text contains Tenterhook's entries. */
export function containsOwn(client: Client, format: string, text: string): boolean {
  const { entry: form } = client.configuration;
  if (format === "toml") return ownSections(text, client.id, form.at[0] ?? "hooks").length > 0;
  if (format === "json" || format === "jsonc")
    return ownEntries(text, { client: client.id, form, format }).length > 0;
  return text.includes(OWN_FILE);
}
