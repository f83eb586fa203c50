import { conversationPage, conversationQuery, conversationReport } from "@tenterhook/protocol/runs";
import { addToConversation, readConversation } from "../../runners/conversations.ts";
import { lost } from "../../runners/leases.ts";
import { LEASE_HEADERS, leaseOf } from "../lease-header.ts";
import { type Operation, operation } from "../operation.ts";
import { idParameter } from "../parameters.ts";
import type { Services } from "../services.ts";

/** The conversation of a session, for the runner that continues it. No other client can read it. */
export function runnerConversations({ coordinator, leases }: Services): Operation[] {
  const read = operation(
    "GET /runner/runs/{id}/conversation",
    {
      permission: "execute",
      summary: "Read the conversation of a run's session before the run",
      params: idParameter,
      query: conversationQuery,
      headers: LEASE_HEADERS,
      responses: { 200: conversationPage },
    },
    async ({ params: { id }, query: { after }, identity, incoming }) => {
      const leaseToken = leaseOf(incoming);
      await leases.check(identity, id, leaseToken);
      const page = await readConversation(coordinator.database, id, leaseToken, after);
      if (page === undefined) throw lost(id);
      return { status: 200, body: page };
    },
  );

  const add = operation(
    "POST /runner/runs/{id}/conversation",
    {
      permission: "execute",
      summary: "Store what a run added to the conversation; it counts when the run has ended",
      params: idParameter,
      body: conversationReport,
      responses: { 204: "nothing" },
    },
    async ({ params: { id }, body: { lease_token, first, entries }, identity }) => {
      await leases.check(identity, id, lease_token);
      if (!(await addToConversation(coordinator, id, lease_token, first, entries))) throw lost(id);
      return { status: 204 };
    },
  );

  return [read, add];
}
