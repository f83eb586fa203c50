import type { DecisionRecord } from "@tenterhook/bridges";

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
