/** One dispatch in the audit trail; a line that could not be redacted has neither outcome nor entries. */
export interface AuditRecord {
  readonly time: string;
  readonly event: string;
  readonly session_id?: string;
  /** The coding agent that a bridge answered; only records of bridges have this and the next fields. */
  readonly client?: string;
  readonly project?: string;
  readonly subject?: string;
  /** The kind of answer that the coding agent got. */
  readonly told?: string;
  readonly duration_ms?: number;
  readonly notes?: readonly string[];
  readonly tool_name?: string;
  readonly outcome?: string;
  readonly action?: string;
  readonly decided_by?: string;
  readonly reason?: string;
  readonly entries?: readonly AuditEntry[];
}

export interface AuditEntry {
  readonly hook: string;
  readonly verdict: string;
  readonly duration_ms?: number;
  readonly reason?: string;
  readonly error?: string;
}

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
