import { mayDo } from "@tenterhook/protocol/runs";
import type { Queries } from "../database/database.ts";
import { Problem } from "../problem.ts";
import { hasApproval } from "../store/approval-rows.ts";
import type { Identity } from "./known-tokens.ts";

// A reviewer reads what a decision needs: approvals, the runs that have one, and the events about approvals.

/** Refuses a run that has no approval to those who read nothing else. It does not reveal whether the run exists. */
export async function checkMayReadRun(queries: Queries, { scope }: Identity, runId: string): Promise<void> {
  if (mayDo(scope, "read") || (await hasApproval(queries, runId))) return;
  throw new Problem("forbidden", `a token with the scope "${scope}" reads only runs that have an approval`, {
    hint: "GET /approvals lists them.",
  });
}

const EVENTS_ABOUT_APPROVALS = ["approval_requested", "approval_decided"] as const;

/** The types of events that may be followed, among those that a request names. `undefined`: all. */
export function permittedTypes(
  { scope }: Identity,
  types: readonly string[] | undefined,
): readonly string[] | undefined {
  if (mayDo(scope, "read")) return types;
  const permitted: readonly string[] = EVENTS_ABOUT_APPROVALS;
  const other = types?.find((type) => !permitted.includes(type));
  if (other === undefined) return types ?? permitted;
  throw new Problem(
    "forbidden",
    `a token with the scope "${scope}" does not follow events of the type "${other}"`,
    {
      field: "types",
      hint: `It follows ${permitted.join(" and ")}.`,
    },
  );
}
