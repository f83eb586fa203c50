import { join } from "node:path";
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
