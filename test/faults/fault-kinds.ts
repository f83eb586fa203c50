import {
  disturbRequests,
  fillDisk,
  killCoordinator,
  killRunner,
  pauseCoordinator,
  pauseRunner,
  restartPostgres,
  tamperWithGuard,
} from "./faults.ts";
import type { FaultKind } from "./storm.ts";

/** The steps of a run, from the request on its way to the result. */
const STEPS: FaultKind["occurrences"] = [
  "sent",
  "acknowledged",
  "run_preparing",
  "hook_start",
  "run_ready",
  "work_claimed",
  "run_started",
  "run_finishing",
  "hook_complete",
  "run_completed",
];

export const COORDINATOR_KILLED: FaultKind = { fault: killCoordinator, occurrences: STEPS };

export const RUNNER_KILLED: FaultKind = {
  fault: killRunner,
  occurrences: ["acknowledged", "work_claimed", "run_started"],
};

/** Kills the runner that has just claimed a hook run. */
export const HOOK_RUNNER_KILLED: FaultKind = { fault: killRunner, occurrences: ["hook_claimed"] };

export const POSTGRES_RESTARTED: FaultKind = { fault: restartPostgres, occurrences: STEPS };

/** Requests that arrive twice, late or in part, and lost responses. */
export const REQUESTS_DISTURBED: FaultKind = { fault: disturbRequests, occurrences: STEPS };

export const RUNNER_PAUSED: FaultKind = { fault: pauseRunner, occurrences: ["work_claimed", "run_started"] };

export const COORDINATOR_PAUSED: FaultKind = { fault: pauseCoordinator, occurrences: STEPS };

export const DISK_FILLED: FaultKind = { fault: fillDisk, occurrences: STEPS };

export const GUARD_TAMPERED: FaultKind = { fault: tamperWithGuard, occurrences: ["sent", "acknowledged"] };
