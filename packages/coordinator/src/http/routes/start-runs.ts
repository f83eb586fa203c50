import type { IncomingMessage, ServerResponse } from "node:http";
import { RUN_HEADER, resumeRequest, retryBody, run, runRequest } from "@tenterhook/protocol/runs";
import { z } from "zod";
import type { Identity } from "../../access/known-tokens.ts";
import { runView } from "../../lists/run-view.ts";
import { Problem, requireFound } from "../../problem.ts";
import { retryRequest } from "../../runs/retry-request.ts";
import type { RunOrigin, StartRunRequest } from "../../runs/start-run-request.ts";
import { readSession } from "../../sessions/session-rows.ts";
import { LONGEST_WAIT_SECONDS } from "../long-polls.ts";
import { type Operation, operation } from "../operation.ts";
import { idParameter, waitSeconds } from "../parameters.ts";
import type { Services } from "../services.ts";

export const START_HEADERS = {
  "Idempotency-Key": "up to 200 characters of your choice: the same request with the same key starts one run",
  [RUN_HEADER]:
    "the id of the run whose agent sends the request: the new run belongs to the chain of finish hooks that started it",
};

const responses = {
  200: run.describe("it had been started before, with this Idempotency-Key"),
  201: run.describe("started; with execution_mode sync, ended as well"),
  202: run.describe("with execution_mode sync: not ended yet, so ask for it later"),
} as const;

const waitQuery = z.strictObject({
  wait: waitSeconds("the end, with execution_mode sync", LONGEST_WAIT_SECONDS),
});

interface StartRequestParts {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly identity: Identity;
  readonly query: { readonly wait: number };
}

/** Starting runs. */
export function startRuns({ coordinator, polls }: Services): Operation[] {
  const { database } = coordinator;
  const shared = {
    permission: "run",
    query: waitQuery,
    headers: START_HEADERS,
    responses,
  } as const;

  const start = operation(
    "POST /runs",
    { ...shared, summary: "Start a run", body: runRequest },
    ({ body, ...asked }) => begin(body, asked, originOf(asked)),
  );

  const retry = operation(
    "POST /runs/{id}/retry",
    {
      ...shared,
      summary: "Start a run like one that has ended, with the parameters it was first given or with others",
      params: idParameter,
      body: retryBody,
    },
    async ({ params: { id }, body: { parameters }, ...asked }) => {
      return begin(await retryRequest(database, id, parameters), asked, {
        ...originOf(asked),
        retryOf: id,
      });
    },
  );

  const resume = operation(
    "POST /sessions/{id}/resume",
    {
      ...shared,
      summary: "Start a run in a session, with the session's agent",
      params: idParameter,
      body: resumeRequest,
    },
    async ({ params: { id }, body, ...asked }) => {
      const session = requireFound(await readSession(database, id), "session", id);
      const parent_session_id = session.parent_session_id ?? undefined;
      const request = { ...body, agent_name: session.agent_name, session_id: id, parent_session_id };
      return begin(request, asked, originOf(asked));
    },
  );

  async function begin(
    request: StartRunRequest,
    { incoming, outgoing, identity, query }: StartRequestParts,
    origin: RunOrigin,
  ) {
    const started = await coordinator.startRun(request, keyOf(incoming, identity), origin);
    const { id, finished_at } = started.run;
    const headers = { location: `/runs/${id}` };
    const first = started.isRepeat ? 200 : 201;
    if (request.execution_mode !== "sync" || finished_at !== null) {
      return { status: first, body: runView(started.run), headers } as const;
    }
    // The run has been started, so a client that cannot wait here gets the run, and is not refused.
    const seconds = polls.isFull ? 0 : query.wait;
    const ended = await polls.wait({ outgoing, identity }, seconds * 1_000, (waitMs, signal) =>
      coordinator.waitForEnd(id, waitMs, signal),
    );
    const now = ended ?? started.run;
    const status = now.finished_at === null ? 202 : first;
    return { status, body: runView(now), headers } as const;
  }

  return [start, retry, resume];
}

/** The origin of what a person or a program requests. */
export function originOf({
  identity,
  incoming,
}: Pick<StartRequestParts, "identity" | "incoming">): RunOrigin {
  const { name, lineage } = identity;
  const run = incoming.headers[RUN_HEADER.toLowerCase()];
  return {
    by: name,
    requester: { name, tokens: lineage },
    ...(typeof run === "string" && { startedBy: run }),
  };
}

/** A key belongs to its token: with the key of another token, a client would see the run of that one. */
export function keyOf(incoming: IncomingMessage, { tokenId }: Identity): string | undefined {
  const key = incoming.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key)) return `${tokenId}:${key}`;
  throw new Problem("bad_request", "the Idempotency-Key must be 1 to 200 visible ASCII characters", {
    field: "Idempotency-Key",
  });
}
