import { queryOptions } from "@tanstack/react-query";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { call } from "../api/call.ts";

/** A run that waits, and why. */
export interface WaitingRun {
  readonly run: RunSummary;
  readonly reason: string;
}

export interface WaitingRuns {
  /** Those whose reason was read, the newest. */
  readonly runs: readonly WaitingRun[];
  readonly count: number;
  readonly more: boolean;
}

/** A run that is a little older than this waits for something. */
const PATIENCE_MS = 15_000;
const MAX_REASONS = 3;
const READ_MS = 5_000;

/** The states in which a run waits for a runner, or for a hook. */
export const WAITING_STATUSES = "pending,ready,preparing,finishing";
const QUEUED: readonly string[] = ["pending", "ready"];

/** Runs that wait for a runner or for a hook that is not called yet. Those that wait for a person are among the approvals. */
export const waitingRunsQuery = () =>
  queryOptions({
    queryKey: ["runs", "waiting"],
    queryFn: ({ signal }) => readWaitingRuns(signal),
    refetchInterval: READ_MS,
  });

async function readWaitingRuns(signal: AbortSignal): Promise<WaitingRuns> {
  const to = new Date(Date.now() - PATIENCE_MS).toISOString();
  const [queued, hooked] = await Promise.all([
    call("GET /runs/count", { query: { status: QUEUED.join(","), to }, signal }),
    call("GET /runs", { query: { status: WAITING_STATUSES, to, limit: 50 }, signal }),
  ]);
  const waiting = hooked.runs.filter(
    ({ status, hook_waiting }) => QUEUED.includes(status) || (hook_waiting ?? null) !== null,
  );
  const runs = await Promise.all(waiting.slice(0, MAX_REASONS).map((run) => readReason(run, signal)));
  const ofHooks = waiting.filter(({ status }) => !QUEUED.includes(status)).length;
  return {
    runs: runs.filter((found) => found !== undefined),
    count: queued.count + ofHooks,
    more: queued.more || hooked.next_cursor !== null,
  };
}

async function readReason(run: RunSummary, signal: AbortSignal): Promise<WaitingRun | undefined> {
  if ((run.hook_waiting ?? null) !== null) return { run, reason: run.hook_waiting ?? "" };
  const { waiting } = await call("GET /runs/{id}", { params: { id: run.run_id }, signal });
  return waiting === null ? undefined : { run, reason: waiting.detail };
}
