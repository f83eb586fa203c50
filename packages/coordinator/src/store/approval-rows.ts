import type { Queries, Statement } from "../database/database.ts";
import { rowReader } from "../database/row-reader.ts";
import type { ApprovalRow } from "./rows.ts";

export const readApproval = rowReader<ApprovalRow>({
  name: "read-approval",
  text: "SELECT * FROM approvals WHERE id = $1",
});

const OF_RUN: Statement = {
  name: "run-has-approval",
  text: "SELECT EXISTS (SELECT FROM approvals WHERE run_id = $1) AS has_approval",
};

export async function hasApproval(queries: Queries, runId: string): Promise<boolean> {
  return (await queries.run<{ has_approval: boolean }>(OF_RUN, [runId]))[0]?.has_approval === true;
}

/** Locks an approval. Lock its run first: a run that ends cancels its approvals. */
export const lockApproval = rowReader<ApprovalRow>({
  name: "lock-approval",
  text: "SELECT * FROM approvals WHERE id = $1 FOR UPDATE",
});
