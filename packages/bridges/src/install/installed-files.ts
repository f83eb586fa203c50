import { dirname, join } from "node:path";
import type { Client } from "../shape/client.ts";
import {
  type ClientFile,
  clientFiles,
  type FileLocation,
  findFile,
  type InstallScope,
} from "./client-files.ts";
import { type InstalledFile, type InstallRecord, textHash } from "./install-record.ts";
import { holdsOwn } from "./plan-install.ts";
import { HASH_TRUST } from "./special-clients.ts";

/** The files of a client that have entries of ours: those on record, and those that are found although the record was lost. */
export function installedFiles(
  client: Client,
  scope: InstallScope,
  at: FileLocation,
  record: InstallRecord,
): readonly InstalledFile[] {
  const files = clientFiles(client, scope, at);
  const known = record.files.filter((file) => file.client === client.id && file.scope === scope);
  const mine =
    scope === "user"
      ? known
      : known.filter(({ target }) => target.startsWith(`${at.project}/`) || isTrustOf(client, files, known));
  const found = files
    .filter(({ path }) => !mine.some((file) => file.path === path))
    .flatMap((file) => foundFile(client, file, scope, at));
  return [...mine, ...found];
}

function isTrustOf(client: Client, files: readonly ClientFile[], known: readonly InstalledFile[]): boolean {
  return (
    HASH_TRUST[client.id] !== undefined && known.some(({ path }) => files.some((file) => file.path === path))
  );
}

function foundFile(
  client: Client,
  { file, path }: ClientFile,
  scope: InstallScope,
  at: FileLocation,
): readonly InstalledFile[] {
  const found = findFile(path, at, file.home?.variable);
  if (
    typeof found === "string" ||
    found.text === undefined ||
    !holdsOwn(client, file.format, found.text.replace(/^\uFEFF/, ""))
  )
    return [];
  const common = {
    client: client.id,
    scope,
    before: null,
    backup: null,
    created: [],
    folders: [],
    commands: {},
  };
  const isWhole = file.format === "script" || file.format === "plugin";
  const entries: InstalledFile = {
    ...common,
    path,
    target: found.target,
    kind: isWhole ? "whole" : "entries",
    // Never the text's own hash: the text before the installation is not known.
    after: textHash(""),
  };
  const trust = HASH_TRUST[client.id];
  const [user] = clientFiles(client, "user", at);
  if (trust === undefined || user === undefined) return [entries];
  const wanted = trust.wanted(path, found.text, client.configuration.entry);
  const config = join(dirname(user.path), trust.file);
  return [
    entries,
    { ...common, path: config, target: config, kind: "trust", after: textHash(""), trust: wanted },
  ];
}
