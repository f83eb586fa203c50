import {
  type ApprovalResponse,
  approvalRequest,
  approvalResponse,
  approvalTicket,
  toolCallRequest,
  toolCallResponse,
} from "@tenterhook/protocol/runs";
import { z } from "zod";
import { Problem } from "../../problem.ts";
import { lost } from "../../runners/leases.ts";
import { readApproval } from "../../store/approval-rows.ts";
import type { ApprovalRow, Json } from "../../store/rows.ts";
import { LEASE_HEADERS, leaseOf } from "../lease-header.ts";
import { type Operation, operation } from "../operation.ts";
import { idParameter, waitSeconds } from "../parameters.ts";
import type { Services } from "../services.ts";

const waitQuery = z.strictObject({
  wait: waitSeconds("the answer"),
});

/** A runner asks a hook about a tool call, or a person, before it continues. */
export function runnerQuestions({ coordinator, leases, polls }: Services): Operation[] {
  const { database, lifecycle } = coordinator;

  const toolCalls = operation(
    "POST /runner/runs/{id}/tool-calls",
    {
      permission: "execute",
      summary: "Ask whether a tool call may be made",
      params: idParameter,
      query: waitQuery,
      body: toolCallRequest,
      responses: { 200: toolCallResponse },
    },
    async ({ params: { id }, query: { wait }, body: { lease_token, ...call }, identity, outgoing }) => {
      await leases.check(identity, id, lease_token);
      const ask = () => lifecycle.askAboutTool(id, lease_token, call);
      const verdict = await polls.wait({ outgoing, identity }, wait * 1_000, (waitMs, signal) =>
        coordinator.waitFor(ask, ({ action }) => action !== "wait", id, waitMs, signal),
      );
      if (verdict === undefined) throw lost(id);
      return { status: 200, body: verdict };
    },
  );

  const ask = operation(
    "POST /runner/runs/{id}/approvals",
    {
      permission: "execute",
      summary: "Ask a person, on behalf of a hook on the runner's machine",
      params: idParameter,
      body: approvalRequest,
      responses: { 200: approvalTicket },
    },
    async ({ params: { id }, body: { lease_token, ...question }, identity }) => {
      await leases.check(identity, id, lease_token);
      const approval = await lifecycle.askPerson(id, lease_token, question);
      if (approval === undefined) throw lost(id);
      return { status: 200, body: { approval_id: approval.id, answer: formatDecision(approval) } };
    },
  );

  const answer = operation(
    "GET /runner/runs/{id}/approvals/{approval_id}",
    {
      permission: "execute",
      summary: "Read what a person decided",
      params: z.strictObject({ id: z.string().max(100), approval_id: z.string().max(100) }),
      query: waitQuery,
      headers: LEASE_HEADERS,
      responses: { 200: approvalResponse },
    },
    async ({ params: { id, approval_id }, query: { wait }, identity, incoming, outgoing }) => {
      const leaseToken = leaseOf(incoming);
      if ((await leases.holder(id, leaseToken)) === undefined) throw lost(id);
      await leases.check(identity, id, leaseToken);
      const approval = await polls.wait({ outgoing, identity }, wait * 1_000, (waitMs, signal) =>
        coordinator.waitFor(
          () => readApproval(database, approval_id),
          ({ state }) => state !== "pending",
          id,
          waitMs,
          signal,
        ),
      );
      if (approval?.run_id !== id) {
        throw new Problem("not_found", `the run "${id}" has no approval "${approval_id}"`);
      }
      return { status: 200, body: formatDecision(approval) };
    },
  );

  return [toolCalls, ask, answer];
}

function formatDecision({ state, decision }: ApprovalRow): ApprovalResponse {
  const { reason, value } = (decision ?? {}) as { readonly reason?: string; readonly value?: Json };
  switch (state) {
    case "pending":
      return { type: "wait" };
    case "approved":
      return value === undefined ? { type: "approve" } : { type: "edit", value };
    case "expired":
      return { type: "reject", reason: "no decision in time" };
    case "rejected":
    case "cancelled":
      return { type: "reject", ...(reason !== undefined && { reason }) };
  }
}
