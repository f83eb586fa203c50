import type { DecisionRecord } from "@tenterhook/bridges";

/**
 * One dispatch in the audit trail. Only records of bridges have a client, and what belongs to it; a line that could not be redacted has
 * neither outcome nor entries.
 */
export type AuditRecord = Pick<DecisionRecord, "time" | "event"> & Partial<DecisionRecord>;

/** Parses a line; `undefined` for an incomplete or foreign one. */
export function readRecord(line: string): AuditRecord | undefined {
  try {
    const record = JSON.parse(line) as Partial<AuditRecord> | null;
    return typeof record?.time === "string" && typeof record.event === "string"
      ? (record as AuditRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a hook refused the operation. */
export function isRefusal({ outcome }: AuditRecord): boolean {
  return outcome === "block" || outcome === "stop";
}
