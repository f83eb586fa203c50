import { resolve, sep } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import type { AuditRecord } from "./audit-record.ts";

export interface RecordFilter {
  readonly clients: readonly string[];
  readonly session: string | undefined;
  readonly project: string | undefined;
}

/** Whether a record is of these coding agents, this session and this project. */
export function recordFilter({ clients, session, project }: RecordFilter): (record: AuditRecord) => boolean {
  const folder =
    project === undefined ? undefined : (findLocations(resolve(project)).project ?? resolve(project));
  return (record) =>
    (clients.length === 0 || clients.includes(record.client ?? "")) &&
    (session === undefined || (record.session_id ?? "").startsWith(session)) &&
    (folder === undefined || record.project === folder || (record.project ?? "").startsWith(folder + sep));
}
