import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Locations } from "@tenterhook/file-hooks";

/** Where the audit trail is kept; older parts beside it as `.1`, `.2`, …. */
export function auditFile({ state }: Pick<Locations, "state">): string {
  return join(state, "audit.jsonl");
}

/** Makes the folder of the audit trail, readable by its owner only. Where that fails, writing the trail will say so. */
export function makeAuditFolder({ state }: Pick<Locations, "state">): void {
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
  } catch {
    // Said when a line cannot be written.
  }
}
