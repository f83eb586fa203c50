import { eventRow, isEventName } from "@tenterhook/protocol";
import { wireName } from "@tenterhook/protocol/internal";
import type { Approval, approvalsQuery } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import type { Queries, Statement } from "../database/database.ts";
import { allOf, runComposed, sql, verbatim } from "../database/fragment.ts";
import { findBar, type Requester, type TokenHolder } from "../domain/requesters.ts";
import type { ApprovalRow } from "../store/rows.ts";
import { isAfter, type Positioned } from "./columns.ts";
import { pageOf, readCursor } from "./cursor.ts";
import { newestOf } from "./newest.ts";

export type ApprovalFilters = z.output<typeof approvalsQuery>;

interface ListedApproval extends ApprovalRow {
  readonly agent_name: string | null;
  readonly requesters: readonly Requester[] | null;
}

const SELECT = `SELECT approvals.*, runs.agent_name, runs.requesters, approvals.created_at::text AS position
    FROM approvals LEFT JOIN runs ON runs.id = approvals.run_id`;

const NEWEST = { table: "approvals", time: "approvals.created_at", id: "approvals.id" };

/** Approvals, the newest first. */
export async function listApprovals(
  queries: Queries,
  { limit, cursor, state, run, agent, hook }: ApprovalFilters,
  reader: TokenHolder,
) {
  const every = [
    run === undefined ? undefined : sql`approvals.run_id = ${run}`,
    agent === undefined
      ? undefined
      : sql`EXISTS (SELECT 1 FROM runs WHERE runs.id = approvals.run_id AND runs.agent_name = ${agent})`,
    hook === undefined ? undefined : sql`approvals.asked_by = ${hook}`,
    isAfter("approvals.created_at", "approvals.id", readCursor(cursor, 2)),
  ];
  const some = (state ?? []).map((each) => sql`approvals.state = ${each}`);
  const rows = await runComposed<ListedApproval & Positioned>(
    queries,
    sql`${verbatim(SELECT)}
      WHERE ${some.length === 0 ? allOf(every) : newestOf(NEWEST, some, every, limit + 1)}
      ORDER BY approvals.created_at DESC, approvals.id DESC LIMIT ${limit + 1}`,
  );
  const page = pageOf(rows, limit, ({ position, id }) => [position, id]);
  return { approvals: page.rows.map((row) => approvalView(row, reader)), next_cursor: page.next_cursor };
}

const OF_RUN: Statement = {
  name: "approvals-of-run",
  text: `${SELECT} WHERE approvals.run_id = $1 ORDER BY approvals.created_at LIMIT 1000`,
};

export async function approvalsOfRun(
  queries: Queries,
  runId: string,
  reader: TokenHolder,
): Promise<Approval[]> {
  const rows = await queries.run<ListedApproval>(OF_RUN, [runId]);
  return rows.map((row) => approvalView(row, reader));
}

const READ: Statement = { name: "approval-view", text: `${SELECT} WHERE approvals.id = $1` };

export async function readApprovalView(
  queries: Queries,
  id: string,
  reader: TokenHolder,
): Promise<Approval | undefined> {
  const [row] = await queries.run<ListedApproval>(READ, [id]);
  return row && approvalView(row, reader);
}

function approvalView(row: ListedApproval, reader: TokenHolder): Approval {
  const requesters = row.requesters ?? [];
  return {
    approval_id: row.id,
    run_id: row.run_id,
    agent_name: row.agent_name,
    hook_id: row.hook_id,
    hook_type: row.hook_type,
    asked_by: row.asked_by,
    reason: row.reason,
    subject: row.subject,
    editable: editableField(row.hook_type),
    not_by: row.not_by,
    requested_by: [...new Set(requesters.map(({ name }) => name))],
    barred: row.not_by === null ? null : (findBar(requesters, reader) ?? null),
    state: row.state,
    decision: row.decision,
    decided_by: row.decided_by,
    created_at: row.created_at,
    expires_at: row.expires_at,
    decided_at: row.decided_at,
  };
}

/** The field of the subject that an edit replaces. */
function editableField(hookType: string): string | null {
  if (!isEventName(hookType)) return null;
  const { edits } = eventRow(hookType);
  return edits === undefined ? null : wireName(hookType, edits);
}
