import { join } from "node:path";
import type { DecisionRecord } from "@tenterhook/bridges";
import type { Locations } from "@tenterhook/file-hooks";
import { messageOf } from "@tenterhook/internal";
import { makeWritableFolder, STATE_FOLDER } from "../writable-folder.ts";

/** The path of the audit trail; rotated files are beside it as `.1`, `.2`, …. */
export function auditFile({ state }: Pick<Locations, "state">): string {
  return join(state, "audit.jsonl");
}

/** The message for a failed write, with a remedy. */
export function auditFailure(error: unknown): string {
  return `the audit trail could not be written: ${messageOf(error)}. ${STATE_FOLDER.remedy}`;
}

/** Creates the folder of the audit trail, readable by its owner only. A failure is reported when the trail is written. */
export function makeAuditFolder({ state }: Pick<Locations, "state">): void {
  try {
    makeWritableFolder(state, STATE_FOLDER);
  } catch {
    // Reported when a line cannot be written.
  }
}

/**
 * One dispatch in the audit trail. Only records of bridges have a client, and what belongs to it; a line that could not be redacted has
 * neither outcome nor entries.
 */
export type AuditRecord = Pick<DecisionRecord, "time" | "event"> &
  Partial<DecisionRecord> & {
    /** It is of `tenterhook try`: a person asked, and nothing happened. */
    readonly trial?: true;
  };

/** Parses a line; `undefined` for an incomplete or foreign one. */
export function readRecord(line: string): AuditRecord | undefined {
  try {
    const record = JSON.parse(line) as AuditRecord & { readonly told?: string };
    if (typeof record.time !== "string" || typeof record.event !== "string") return undefined;
    if (record.told === undefined) return record;
    // Version 0.1.0 wrote `told`.
    const { told: reported, ...rest } = record;
    return { reported, ...rest };
  } catch {
    return undefined;
  }
}

/** Whether the operation was refused: by a hook, or because the client has no form for what the hooks wanted. */
export function wasRefused({ outcome, reported }: AuditRecord): boolean {
  return outcome === "block" || outcome === "stop" || reported === "block";
}
