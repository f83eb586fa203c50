import { runState } from "@tenterhook/protocol/runs";
import type { z } from "zod";

/** The states of a run, in the order of its life. `waiting_for` is what a run that is preparing or finishing waits for. */
export const RUN_STATES = runState.options;

export type RunState = z.output<typeof runState>;
export type FinalState = "completed" | "failed" | "stopped";

/** The states in which a run may be created: a run that is reserved for a waiting runner is created as claimed. */
const INITIAL: readonly RunState[] = ["pending", "claimed"];

/** The states that may follow each state. A run that lost its runner becomes `ready` again, as often as its blueprint allows. */
const FOLLOWING: Readonly<Record<RunState, readonly RunState[]>> = {
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
};

export function isInitial(state: RunState): boolean {
  return INITIAL.includes(state);
}

export function mayFollow(from: RunState, to: RunState): boolean {
  return FOLLOWING[from].includes(to);
}

export function isFinal(state: RunState): state is FinalState {
  return FOLLOWING[state].length === 0;
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
  before: (to: RunState): string => inList(RUN_STATES.filter((from) => mayFollow(from, to))),
  leased: inList(RUN_STATES.filter(isLeased)),
  final: inList(RUN_STATES.filter(isFinal)),
  /** Leased, and started. */
  started: inList(RUN_STATES.filter((state) => isLeased(state) && state !== "claimed")),
} as const;

function inList(states: readonly RunState[]): string {
  return `IN (${states.map((state) => `'${state}'`).join(", ")})`;
}
