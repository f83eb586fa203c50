/** The limits of the coordinators of one store. */
export interface Limits {
  /** How long a runner may be silent before it has lost its runs. */
  readonly leaseSeconds: number;
  /** How long a hook may wait to be executed, before its own timeout begins. */
  readonly hookWaitSeconds: number;
  /** How long a person has to decide. */
  readonly approvalSeconds: number;
  /** How many finish hooks, and runs that they start or resume, may start each other. */
  readonly maxDepth: number;
  /** How often a claim of a run may expire before the run has started. */
  readonly maxUnstartedClaims: number;
}

export const DEFAULT_LIMITS: Limits = {
  leaseSeconds: 30,
  hookWaitSeconds: 600,
  approvalSeconds: 86_400,
  maxDepth: 8,
  maxUnstartedClaims: 20,
};

/** The caller of an http hook ends the call itself when the hook's time is up; the sweep waits so much longer. */
export const CALLERS_GRACE_SECONDS = 5;

/** How long the trial of a hook may take: a request waits for it, and proxies tend to cut connections after a minute. */
export const MAX_TRIAL_SECONDS = 50;
