import { join } from "node:path";
import type { Locations } from "@tenterhook/file-hooks";
import { messageOf } from "@tenterhook/protocol";
import { makeWritableFolder, STATE_FOLDER } from "../writable-folder.ts";

/** Where the audit trail is kept; older parts beside it as `.1`, `.2`, …. */
export function auditFile({ state }: Pick<Locations, "state">): string {
  return join(state, "audit.jsonl");
}

/** That a line could not be written, with what to do. */
export function auditFailure(error: unknown): string {
  return `the audit trail could not be written: ${messageOf(error)}. ${STATE_FOLDER.remedy}`;
}

/** Makes the folder of the audit trail, readable by its owner only. Where that fails, writing the trail will say so. */
export function makeAuditFolder({ state }: Pick<Locations, "state">): void {
  try {
    makeWritableFolder(state, STATE_FOLDER);
  } catch {
    // Said when a line cannot be written.
  }
}
