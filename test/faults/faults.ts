import type { Chance } from "./chance.ts";
import { PROXY_FAULTS } from "./fault-proxy.ts";
import type { LiveProcess } from "./live-process.ts";
import type { ProcessFleet } from "./process-fleet.ts";

/** Injects a fault. `who` is the runner of the occurrence that triggered it, if any. */
export type Fault = (fleet: ProcessFleet, chance: Chance, who: string) => Promise<void>;

/** Kills a coordinator and starts it again. */
export const killCoordinator: Fault = async (fleet, chance) => {
  const n = chance.below(fleet.coordinators.length);
  await fleet.coordinators[n]?.kill();
  await fleet.startCoordinator(n);
};

/** Kills a runner, that of the occurrence if any, and starts another. */
export const killRunner: Fault = async (fleet, chance, who) => {
  const index = fleet.runners.findIndex(({ ready }) => ready.id === who);
  const n = index < 0 ? chance.below(fleet.runners.length) : index;
  await fleet.runners[n]?.kill();
  await fleet.startRunner(n);
};

/** Stops PostgreSQL during the work and starts it again. */
export const restartPostgres: Fault = async ({ postgres }) => {
  await postgres?.stop();
  await postgres?.start();
};

/** Disturbs the next few requests to one of the coordinators, by runners and clients alike. */
export const disturbRequests: Fault = async ({ proxies }, chance) => {
  const fault = chance.pick(PROXY_FAULTS);
  proxies[chance.below(proxies.length)]?.disturb(fault, 1 + chance.below(MAX_DISTURBED));
};

/** Suspends a runner; it resumes after its leases have expired. */
export const pauseRunner: Fault = async ({ runners, plan }, chance) => {
  pause(runners[chance.below(runners.length)], plan.leaseSeconds);
};

/** Suspends a coordinator for longer than a lease. */
export const pauseCoordinator: Fault = async ({ coordinators, plan }, chance) => {
  pause(coordinators[chance.below(coordinators.length)], plan.leaseSeconds);
};

/** Fills the disk of a coordinator's store until it has refused requests, or for some time, then frees it. */
export const fillDisk: Fault = async (fleet, chance) => {
  const isKilled = chance.below(3) === 0;
  fleet.disk?.fill();
  await fleet.occurrences.after("no_room", 1 + chance.below(MAX_DISTURBED), FULL_MS);
  if (isKilled) await fleet.coordinators[0]?.kill();
  fleet.disk?.free();
  if (isKilled) await fleet.startCoordinator(0);
};

/** Changes the files of a trusted guard while agents try what it refuses. */
export const tamperWithGuard: Fault = async ({ project, client, occurrences }) => {
  const restore = await project.tamper();
  const ended = occurrences.after("run_completed", GUARDED_RUNS, TAMPERED_MS);
  const runs = Array.from({ length: GUARDED_RUNS }, () => client.start("guarded"));
  await Promise.all([...runs, ended]);
  await restore();
};

const MAX_DISTURBED = 4;
const FULL_MS = 2_000;
const TAMPERED_MS = 2_000;
const GUARDED_RUNS = 3;

/** Does not wait: work and other faults continue. */
function pause(paused: LiveProcess<unknown> | undefined, leaseSeconds = 2): void {
  paused?.suspend();
  setTimeout(() => paused?.resume(), leaseSeconds * 1_000 + 200);
}
