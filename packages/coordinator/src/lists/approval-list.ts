import { eventRow, isEventName, wireName } from "@tenterhook/protocol";
import type { Approval, approvalsQuery } from "@tenterhook/protocol/runs";
import { and, desc, eq, getTableColumns } from "drizzle-orm";
import type { z } from "zod";
import type { Queries } from "../database/database.ts";
import { approvals, runs } from "../store/schema.ts";
import { exactTime, isAfter } from "./columns.ts";
import { pageOf, readCursor } from "./cursor.ts";
import { newestOf } from "./newest.ts";

export type ApprovalFilters = z.output<typeof approvalsQuery>;

const COLUMNS = {
  ...getTableColumns(approvals),
  agentName: runs.agentName,
  place: exactTime(approvals.createdAt),
};

const NEWEST = { table: approvals, time: approvals.createdAt, id: approvals.id };

/** Questions to people, the newest first. */
export async function listApprovals({ orm }: Queries, { limit, cursor, state, run }: ApprovalFilters) {
  const every = [
    run === undefined ? undefined : eq(approvals.runId, run),
    isAfter(approvals.createdAt, approvals.id, readCursor(cursor, 2)),
  ];
  const some = (state ?? []).map((each) => eq(approvals.state, each));
  const rows = await orm
    .select(COLUMNS)
    .from(approvals)
    .leftJoin(runs, eq(runs.id, approvals.runId))
    .where(some.length === 0 ? and(...every) : newestOf(NEWEST, some, every, limit + 1))
    .orderBy(desc(approvals.createdAt), desc(approvals.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ place, id }) => [place, id]);
  return { approvals: page.rows.map(approvalView), next_cursor: page.next_cursor };
}

export async function approvalsOfRun({ orm }: Queries, runId: string): Promise<Approval[]> {
  const rows = await orm
    .select(COLUMNS)
    .from(approvals)
    .leftJoin(runs, eq(runs.id, approvals.runId))
    .where(eq(approvals.runId, runId))
    .orderBy(approvals.createdAt)
    .limit(1_000);
  return rows.map(approvalView);
}

export async function readApprovalView({ orm }: Queries, id: string): Promise<Approval | undefined> {
  const [row] = await orm
    .select(COLUMNS)
    .from(approvals)
    .leftJoin(runs, eq(runs.id, approvals.runId))
    .where(eq(approvals.id, id));
  return row && approvalView(row);
}

type ApprovalColumns = typeof approvals.$inferSelect & { readonly agentName: string | null };

function approvalView(row: ApprovalColumns): Approval {
  return {
    approval_id: row.id,
    run_id: row.runId,
    agent_name: row.agentName,
    hook_id: row.hookId,
    hook_type: row.hookType,
    asked_by: row.askedBy,
    reason: row.reason,
    subject: row.subject as Approval["subject"],
    editable: editableField(row.hookType),
    state: row.state as Approval["state"],
    decision: row.decision as Approval["decision"],
    decided_by: row.decidedBy,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    decided_at: row.decidedAt,
  };
}

/** The field of the subject that an edit replaces. */
function editableField(hookType: string): string | null {
  if (!isEventName(hookType)) return null;
  const { edits } = eventRow(hookType);
  return edits === undefined ? null : wireName(hookType, edits);
}
