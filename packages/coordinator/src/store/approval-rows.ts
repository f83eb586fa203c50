import type { Queries, Statement } from "../database/database.ts";
import type { ApprovalRow } from "./rows.ts";

const LOCK: Statement = { name: "lock-approval", text: "SELECT * FROM approvals WHERE id = $1 FOR UPDATE" };
const READ: Statement = { name: "read-approval", text: "SELECT * FROM approvals WHERE id = $1" };

export async function readApproval(queries: Queries, id: string): Promise<ApprovalRow | undefined> {
  return (await queries.run<ApprovalRow>(READ, [id]))[0];
}

const OF_RUN: Statement = {
  name: "run-has-approval",
  text: "SELECT EXISTS (SELECT FROM approvals WHERE run_id = $1) AS has_approval",
};

export async function hasApproval(queries: Queries, runId: string): Promise<boolean> {
  return (await queries.run<{ has_approval: boolean }>(OF_RUN, [runId]))[0]?.has_approval === true;
}

/** Locks an approval. Lock its run first: a run that ends cancels its approvals. */
export async function lockApproval(queries: Queries, id: string): Promise<ApprovalRow | undefined> {
  return (await queries.run<ApprovalRow>(LOCK, [id]))[0];
}
