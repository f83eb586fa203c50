import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isRecord } from "@tenterhook/internal";
import { replaceFile } from "./write-file.ts";

/** A file that was written for a client, and what is needed to undo that. */
export interface InstalledFile {
  readonly client: string;
  readonly scope: "user" | "project";
  /** As the client finds it. */
  readonly path: string;
  /** Without symbolic links. */
  readonly target: string;
  readonly kind: FileKind;
  /** Hashes of the text before and after; `null` when there was no file. */
  readonly before: string | null;
  readonly after: string;
  /** The file with the text before. Without one, our entries are removed one by one. */
  readonly backup: string | null;
  /** Containers in the file that were made for our entries. */
  readonly created: readonly (readonly string[])[];
  /** Folders that were made for the file, the outermost first. */
  readonly folders: readonly string[];
  /** The command of each event. */
  readonly commands: Readonly<Record<string, string>>;
  /** The entries that were recorded as trusted for Codex. */
  readonly trust?: readonly { readonly key: string; readonly hash: string }[];
}

/** `entries`: among others'; `whole`: the file is ours; `trust`: what a client records about entries of ours. */
export type FileKind = "entries" | "whole" | "trust";

export interface InstallRecord {
  readonly version: 1;
  /** The version of Tenterhook. */
  readonly tenterhook: string;
  readonly node: string;
  /** The XDG folders that the hook uses; absent in records of older versions. */
  readonly folders?: { readonly config: string; readonly state: string; readonly cache: string };
  /** The folder of the process that an earlier version kept to answer calls, see `earlier-resident.ts`. */
  readonly resident?: string;
  readonly files: readonly InstalledFile[];
}

const NOTHING: InstallRecord = { version: 1, tenterhook: "", node: "", files: [] };

/** What is installed. A record that cannot be read counts as empty: entries are then found by their commands. */
export function readRecord(path: string): InstallRecord {
  try {
    const record = JSON.parse(readFileSync(path, "utf8")) as unknown;
    return isRecord(record) && record.version === 1 && Array.isArray(record.files)
      ? (record as unknown as InstallRecord)
      : NOTHING;
  } catch {
    return NOTHING;
  }
}

export function writeRecord(path: string, record: InstallRecord): void {
  replaceFile(path, `${JSON.stringify(record, undefined, 2)}\n`, 0o600);
}

export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
