/** The life of a run. `waiting_for` says what a run that is preparing or finishing waits for. */
export const RUN_STATES = [
  "pending",
  "preparing",
  "ready",
  "claimed",
  "running",
  "stopping",
  "finishing",
  "completed",
  "failed",
  "stopped",
] as const;

export type RunState = (typeof RUN_STATES)[number];
export type FinalState = "completed" | "failed" | "stopped";

/** What may follow what. A run that lost its runner goes back to `ready`, as often as its blueprint allows. */
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

export function mayFollow(from: RunState, to: RunState): boolean {
  return FOLLOWING[from].includes(to);
}

export function isFinal(state: RunState): state is FinalState {
  return FOLLOWING[state].length === 0;
}

/** The states in which a runner holds the run. */
export function isHeld(state: RunState): boolean {
  return state === "claimed" || state === "running" || state === "stopping";
}
