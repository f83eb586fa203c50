import { createHash } from "node:crypto";
import { canonicalJson } from "@tenterhook/internal";
import type { AgentCache } from "../agents/agent-cache.ts";
import { pinHooks } from "../agents/pin-hooks.ts";
import type { Database, Queries, Statement } from "../database/database.ts";
import { findViolation } from "../domain/json-schema.ts";
import type { Limits } from "../domain/limits.ts";
import type { NewRun, NotCreated, RunLifecycle } from "../lifecycle/index.ts";
import { Problem } from "../problem.ts";
import { readSession } from "../sessions/session-rows.ts";
import type { AgentRow, PinnedHooks, RunRow } from "../store/rows.ts";
import { readRun } from "../store/run-rows.ts";
import { findRequesters } from "./find-requesters.ts";
import type { RunOrigin, StartRunRequest } from "./start-run-request.ts";

export interface StartedRun {
  readonly run: RunRow;
  /** It had been started before, with the same idempotency key. */
  readonly isRepeat: boolean;
}

/** What is needed to create runs. */
export interface RunStore {
  readonly database: Database;
  readonly agents: AgentCache;
  readonly lifecycle: RunLifecycle;
  readonly limits: Limits;
  /** Creates a run in a session of its own, together with others of the same moment. */
  create(run: NewRun): Promise<RunRow | NotCreated>;
}

/** How often an agent may change while a run of it is created before the request fails. */
const MAX_TRIES = 5;

/** Creates a run for a client. With a key, a repeated request returns the run of the first one. */
export async function startRun(
  store: RunStore,
  request: StartRunRequest,
  origin: RunOrigin | undefined,
  key: string | undefined,
): Promise<StartedRun> {
  const { agents } = store;
  const hash = key === undefined ? undefined : hashRequest(request);
  let agent = await agents.get(request.agent_name);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const started = await attempt(store, agent, { request, origin, key, hash });
    if (started !== undefined) return started;
    agent = await agents.refresh(request.agent_name);
  }
  throw new Problem("conflict", `the agent "${request.agent_name}" was changed during every attempt`, {
    hint: "Try again.",
  });
}

interface StartedBy {
  readonly request: StartRunRequest;
  readonly origin: RunOrigin | undefined;
  readonly key: string | undefined;
  readonly hash: string | undefined;
}

/** One attempt with a cached agent; `undefined` when the agent has changed. */
async function attempt(
  store: RunStore,
  agent: AgentRow | undefined,
  { request, origin, key, hash }: StartedBy,
): Promise<StartedRun | undefined> {
  const { database } = store;
  if (agent === undefined) {
    const repeated =
      key === undefined ? undefined : await database.transaction((queries) => repeat(queries, key, hash));
    if (repeated !== undefined) return repeated;
    throw new Problem("unknown_agent", `there is no agent "${request.agent_name}"`, { field: "agent_name" });
  }
  const problem = findViolation(agent.blueprint.parameters_schema, request.parameters, "parameters");
  if (problem !== undefined) throw new Problem("bad_parameters", problem.text, { field: problem.field });
  const hooks =
    Object.keys(agent.blueprint.hooks).length === 0 ? {} : await pinHooks(database, agent.blueprint);
  await checkParent(database, request);
  const requesters = await findRequesters(database, request, origin);
  const depth = await findDepth(store, origin);
  const wanted = { ...newRun(agent, request, hooks, origin), requesters, depth };
  if (key === undefined) {
    const creating =
      wanted.sessionId === undefined ? store.create(wanted) : createIn(store, database, wanted);
    const run = await created(database, wanted, await creating);
    return run === undefined ? undefined : { run, isRepeat: false };
  }
  return database.transaction(async (queries) => {
    const repeated = await repeat(queries, key, hash);
    if (repeated !== undefined) return repeated;
    const run = await created(queries, wanted, await createIn(store, queries, wanted));
    if (run === undefined) return undefined;
    await queries.run(KEEP_KEY, [key, hash, run.id]);
    return { run, isRepeat: false };
  });
}

function newRun(
  { name, revision, blueprint }: AgentRow,
  request: StartRunRequest,
  hooks: PinnedHooks,
  origin: RunOrigin | undefined,
): NewRun {
  return {
    agentName: name,
    revision,
    kind: "client",
    sessionId: request.session_id,
    parentSessionId: request.parent_session_id,
    executionMode: request.execution_mode,
    parameters: request.parameters,
    createdBy: origin?.by,
    retryOf: origin?.retryOf,
    hooks,
    tags: blueprint.tags,
    timeoutSeconds: blueprint.timeout_seconds,
    maxAttempts: blueprint.max_attempts,
    hasOutputSchema: blueprint.output_schema !== undefined,
  };
}

/** The place of a new run in the chain of the run that asks for it. An id of another coordinator's run is ignored. */
async function findDepth({ database, limits }: RunStore, origin: RunOrigin | undefined): Promise<number> {
  const run = origin?.startedBy === undefined ? undefined : await readRun(database, origin.startedBy);
  const depth = run === undefined ? 0 : depthOfNext(run);
  if (depth <= limits.maxDepth) return depth;
  throw new Problem(
    "conflict",
    `hooks, and the runs that they started or resumed, have started each other ${limits.maxDepth} times, which is the limit`,
    {
      hint: `Start or resume it outside of the run "${run?.id}", or end the chain in the agents of its hooks.`,
    },
  );
}

/**
 * The depth of a run that a run's agent starts, resumes or retries. A chained run was counted by its hook. Runs of clients count as soon
 * as they belong to a chain; a client's runs may start each other without a limit.
 */
function depthOfNext({ kind, depth }: Pick<RunRow, "kind" | "depth">): number {
  return kind === "chained" || (kind !== "hook" && depth === 0) ? depth : depth + 1;
}

/** Creates one run by itself, in a session that may exist or in a transaction. */
async function createIn(
  { lifecycle }: RunStore,
  queries: Queries,
  wanted: NewRun,
): Promise<RunRow | NotCreated> {
  const [run = "agent_changed"] = await lifecycle.create([wanted], queries);
  return run;
}

/** `undefined` when the agent has changed meanwhile. */
async function created(
  queries: Queries,
  wanted: NewRun,
  run: RunRow | NotCreated,
): Promise<RunRow | undefined> {
  if (run === "agent_changed") return undefined;
  if (run !== "session_busy") return run;
  const session = await readSession(queries, wanted.sessionId ?? "");
  if (session !== undefined && (session.agent_name !== wanted.agentName || session.kind !== "client")) {
    throw new Problem("conflict", `the session "${session.id}" is one of the agent "${session.agent_name}"`, {
      field: "session_id",
      hint: "Leave out session_id for a session of its own.",
    });
  }
  throw new Problem("session_busy", `the session "${wanted.sessionId}" already has an active run`, {
    field: "session_id",
    hint: "Wait for it to end, or leave out session_id for a session of its own.",
  });
}

async function checkParent(
  queries: Queries,
  { execution_mode, parent_session_id }: StartRunRequest,
): Promise<void> {
  if (parent_session_id === undefined) {
    if (execution_mode !== "async_callback") return;
    throw new Problem("bad_request", "async_callback needs the session to call back", {
      field: "parent_session_id",
      hint: "Give the session that is to be resumed with the result.",
    });
  }
  if ((await readSession(queries, parent_session_id)) === undefined) {
    throw new Problem("bad_request", `there is no session "${parent_session_id}"`, {
      field: "parent_session_id",
    });
  }
}

// The lock is for two requests with one key at the same time: the second waits for the first.
const LOCK_KEY: Statement = {
  name: "lock-key",
  text: "SELECT pg_advisory_xact_lock(hashtext('key:' || $1))",
};
const READ_KEY: Statement = {
  name: "read-key",
  text: "SELECT request_hash, run_id FROM idempotency_keys WHERE key = $1",
};
const KEEP_KEY: Statement = {
  name: "keep-key",
  text: "INSERT INTO idempotency_keys (key, request_hash, run_id) VALUES ($1, $2, $3)",
};

async function repeat(
  queries: Queries,
  key: string,
  hash: string | undefined,
): Promise<StartedRun | undefined> {
  await queries.run(LOCK_KEY, [key]);
  const [known] = await queries.run<{ request_hash: string; run_id: string }>(READ_KEY, [key]);
  if (known === undefined) return undefined;
  if (known.request_hash !== hash) {
    throw new Problem("idempotency_conflict", "this Idempotency-Key was used for another request", {
      hint: "Use a new key for a new request.",
    });
  }
  const run = await readRun(queries, known.run_id);
  return run === undefined ? undefined : { run, isRepeat: true };
}

function hashRequest(request: StartRunRequest): string {
  return createHash("sha256").update(canonicalJson(request)).digest("hex");
}
