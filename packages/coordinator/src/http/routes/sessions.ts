import { sessionDetail, sessionResult, sessionsPage, sessionsQuery } from "@tenterhook/protocol/runs";
import { z } from "zod";
import { listSessions, readSessionDetail } from "../../lists/session-list.ts";
import { notFound, requireFound } from "../../problem.ts";
import { deleteSession } from "../../sessions/delete-session.ts";
import { latestRun } from "../../sessions/session-rows.ts";
import type { RunRow } from "../../store/rows.ts";
import { type Operation, operation } from "../operation.ts";
import { idParameter, waitSeconds } from "../parameters.ts";
import type { Services } from "../services.ts";

const waitQuery = z.strictObject({
  wait: waitSeconds("the active run"),
});

/** Sessions: conversations with an agent, one run after the other. */
export function sessions({ coordinator, polls }: Services): Operation[] {
  const { database } = coordinator;

  const list = operation(
    "GET /sessions",
    {
      permission: "read",
      summary: "List sessions, the newest first",
      query: sessionsQuery,
      responses: { 200: sessionsPage },
    },
    async ({ query }) => ({ status: 200, body: await listSessions(database, query) }),
  );

  const read = operation(
    "GET /sessions/{id}",
    {
      permission: "read",
      summary: "Read a session with its runs and the sessions it started",
      params: idParameter,
      responses: { 200: sessionDetail },
    },
    async ({ params: { id } }) => ({
      status: 200,
      body: requireFound(await readSessionDetail(database, id), "session", id),
    }),
  );

  const result = operation(
    "GET /sessions/{id}/result",
    {
      permission: "read",
      summary: "Read the result of a session's latest run",
      params: idParameter,
      query: waitQuery,
      responses: { 200: sessionResult.describe("it has ended"), 202: sessionResult.describe("not yet") },
    },
    async ({ params: { id }, query: { wait }, identity, outgoing }) => {
      const first = requireFound(await latestRun(database, id), "session", id);
      const latest =
        first.finished_at !== null || wait === 0
          ? first
          : await polls.wait({ outgoing, identity }, wait * 1_000, (waitMs, signal) =>
              coordinator.waitForEnd(first.id, waitMs, signal),
            );
      if (latest === undefined) throw notFound("session", id);
      return { status: latest.finished_at === null ? 202 : 200, body: resultView(latest) };
    },
  );

  const remove = operation(
    "DELETE /sessions/{id}",
    {
      permission: "administer",
      summary: "Delete a session with its runs, events, hooks, approvals and conversation",
      params: idParameter,
      responses: { 204: "nothing" },
    },
    async ({ params: { id }, identity: { name } }) => {
      await database.transaction((queries) => deleteSession(queries, id, name));
      coordinator.wake("events");
      return { status: 204 };
    },
  );

  return [list, read, result, remove];
}

function resultView(run: RunRow): z.input<typeof sessionResult> {
  const { id, session_id, state, result_text, result_data, error, finished_at } = run;
  return { session_id, run_id: id, status: state, result_text, result_data, error, finished_at };
}
