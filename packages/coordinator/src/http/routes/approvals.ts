import {
  approval,
  approvalDecision,
  approvalsPage,
  approvalsQuery,
  describeBar,
} from "@tenterhook/protocol/runs";
import type { z } from "zod";
import type { TokenHolder } from "../../domain/requesters.ts";
import type { ApprovalDecision } from "../../lifecycle/index.ts";
import { listApprovals, readApprovalView } from "../../lists/approval-list.ts";
import { Problem, requireFound } from "../../problem.ts";
import { type Operation, operation } from "../operation.ts";
import { idParameter } from "../parameters.ts";
import type { Services } from "../services.ts";

/** Approvals: reading and deciding them. */
export function approvals({ coordinator }: Services): Operation[] {
  const { database, lifecycle } = coordinator;

  const list = operation(
    "GET /approvals",
    {
      permission: "review",
      summary: "List approvals, newest first",
      query: approvalsQuery,
      responses: { 200: approvalsPage },
    },
    async ({ query, identity }) => ({ status: 200, body: await listApprovals(database, query, identity) }),
  );

  const read = operation(
    "GET /approvals/{id}",
    {
      permission: "review",
      summary: "Read an approval",
      params: idParameter,
      responses: { 200: approval },
    },
    async ({ params: { id }, identity }) => ({ status: 200, body: await view(id, identity) }),
  );

  const decide = operation(
    "POST /approvals/{id}",
    {
      permission: "decide",
      summary: "Decide an approval, once",
      params: idParameter,
      body: approvalDecision,
      responses: { 200: approval },
    },
    async ({ params: { id }, body, identity }) => {
      const outcome = await lifecycle.decide(id, readDecision(body), identity);
      if (outcome.type === "barred") {
        const { detail, hint } = describeBar(outcome.bar);
        throw new Problem("forbidden", detail, { hint });
      }
      if (outcome.type === "violation") {
        throw new Problem("bad_parameters", outcome.problem, { field: "value" });
      }
      if (outcome.type === "settled") {
        const { state, decided_by, decision } = outcome.approval;
        const by = decided_by === null ? "" : `, by ${decided_by}`;
        const why = state === "cancelled" ? `: ${decision?.reason}` : by;
        throw new Problem("conflict", `it is ${state} already${why}`);
      }
      return { status: 200, body: await view(id, identity) };
    },
  );

  async function view(id: string, reader: TokenHolder): Promise<z.input<typeof approval>> {
    return requireFound(await readApprovalView(database, id, reader), "approval", id);
  }

  return [list, read, decide];
}

function readDecision(body: z.output<typeof approvalDecision>): ApprovalDecision {
  switch (body.decision) {
    case "approve":
      return { type: "approve" };
    case "edit":
      return { type: "edit", value: body.value };
    case "reject":
      return { type: "reject", reason: body.reason };
  }
}
