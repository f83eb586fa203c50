import { runState } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import { StateTable } from "./state-table.ts";

/** The states of a run, in the order of its life. `waiting_for` is what a run that is preparing or finishing waits for. */
export const RUN_STATES = runState.options;

export type RunState = z.output<typeof runState>;
export type FinalState = "completed" | "failed" | "stopped";

/**
 * A run that is reserved for a waiting runner is created as `claimed`. A run that lost its runner becomes `ready` again, as
 * often as its blueprint allows.
 */
const TABLE = new StateTable<RunState>(RUN_STATES, ["pending", "claimed"], {
  pending: ["preparing", "claimed", "finishing", "failed", "stopped"],
  preparing: ["ready", "finishing", "failed", "stopped"],
  ready: ["claimed", "finishing", "failed", "stopped"],
  claimed: ["running", "ready", "stopping", "finishing", "completed", "failed", "stopped"],
  running: ["ready", "stopping", "finishing", "completed", "failed", "stopped"],
  stopping: ["finishing", "completed", "failed", "stopped"],
  finishing: ["completed", "failed", "stopped"],
  completed: [],
  failed: [],
  stopped: [],
});

export function isInitial(state: RunState): boolean {
  return TABLE.isInitial(state);
}

export function mayFollow(from: RunState, to: RunState): boolean {
  return TABLE.mayFollow(from, to);
}

export function isFinal(state: RunState): state is FinalState {
  return TABLE.isFinal(state);
}

/** Whether a runner has the run under a lease. */
export function isLeased(state: RunState): boolean {
  return state === "claimed" || state === "running" || state === "stopping";
}

/** Conditions and literals of SQL, so that statements follow the table. */
export const sqlState = {
  /** One state as a literal. */
  of: (state: RunState): string => `'${state}'`,
  /** The states from which a run may become `to`. */
  before: (to: RunState): string => TABLE.before(to),
  leased: TABLE.where(isLeased),
  final: TABLE.where(isFinal),
  /** Leased, and started. */
  started: TABLE.where((state) => isLeased(state) && state !== "claimed"),
} as const;
