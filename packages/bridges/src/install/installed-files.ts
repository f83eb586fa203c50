import { dirname, join } from "node:path";
import { withoutBom } from "@tenterhook/internal";
import type { Client } from "../definition/client.ts";
import {
  type ClientFile,
  clientFiles,
  type FileLocation,
  findFile,
  type InstallScope,
} from "./client-files.ts";
import { type InstalledFile, type InstallRecord, textHash } from "./install-record.ts";
import { containsOwn } from "./plan-install.ts";
import { HASH_TRUST } from "./special-clients.ts";

/** The files of a client that have entries of ours: those on record, and those that are found although the record was lost. */
export function installedFiles(
  client: Client,
  scope: InstallScope,
  at: FileLocation,
  record: InstallRecord,
): readonly InstalledFile[] {
  const files = clientFiles(client, scope, at);
  const known = record.files.filter((file) => file.client === client.id);
  const written = known.filter(({ kind }) => kind !== "trust");
  const mine = written.filter(
    (file) => file.scope === scope && (scope === "user" || file.target.startsWith(`${at.project}/`)),
  );
  const found = files
    .filter(({ path }) => !written.some((file) => file.path === path))
    .flatMap((file) => foundFile(client, file, scope, at));
  const trust = known
    .filter(({ kind }) => kind === "trust")
    .map((file) => ({
      ...file,
      scope,
      trust: (file.trust ?? []).filter(
        (each) => isAbout(each, mine) || (scope === "user" && !isAbout(each, written)),
      ),
    }));
  return [...mine, ...trust.filter((file) => file.trust.length > 0), ...found];
}

/** Whether it is trust in an entry of one of these files. One file has the trust for the user's and for all projects' entries. */
function isAbout({ key }: { readonly key: string }, files: readonly InstalledFile[]): boolean {
  return files.some(({ path, target }) => key.startsWith(`${path}:`) || key.startsWith(`${target}:`));
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
    !containsOwn(client, file.format, withoutBom(found.text))
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
  const trusted = trust.entriesIn(path, found.text, client.configuration.entry);
  const config = join(dirname(user.path), trust.file);
  return [
    entries,
    { ...common, path: config, target: config, kind: "trust", after: textHash(""), trust: trusted },
  ];
}
