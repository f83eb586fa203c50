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
const STEPS: FaultKind["moments"] = [
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

export const COORDINATOR_KILLED: FaultKind = { fault: killCoordinator, moments: STEPS };

export const RUNNER_KILLED: FaultKind = {
  fault: killRunner,
  moments: ["acknowledged", "work_claimed", "run_started"],
};

/** The runner that has just claimed the run that carries out a hook. */
export const HOOK_RUNNER_KILLED: FaultKind = { fault: killRunner, moments: ["hook_claimed"] };

export const POSTGRES_RESTARTED: FaultKind = { fault: restartPostgres, moments: STEPS };

/** Requests that arrive twice, late or in part, and answers that are lost. */
export const REQUESTS_DISTURBED: FaultKind = { fault: disturbRequests, moments: STEPS };

export const RUNNER_PAUSED: FaultKind = { fault: pauseRunner, moments: ["work_claimed", "run_started"] };

export const COORDINATOR_PAUSED: FaultKind = { fault: pauseCoordinator, moments: STEPS };

export const DISK_FILLED: FaultKind = { fault: fillDisk, moments: STEPS };

export const GUARD_TAMPERED: FaultKind = { fault: tamperWithGuard, moments: ["sent", "acknowledged"] };
