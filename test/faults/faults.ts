import type { Chance } from "./chance.ts";
import { PROXY_FAULTS } from "./fault-proxy.ts";
import type { LiveProcess } from "./live-process.ts";
import type { FaultWorld } from "./world.ts";

/** Something that goes wrong. `who` is the runner that the moment was about, if it was about one. */
export type Fault = (world: FaultWorld, chance: Chance, who: string) => Promise<void>;

/** Kills a coordinator and starts it again. */
export const killCoordinator: Fault = async (world, chance) => {
  const n = chance.below(world.coordinators.length);
  await world.coordinators[n]?.kill();
  await world.startCoordinator(n);
};

/** Kills a runner, that of the moment if there is one, and starts another in its place. */
export const killRunner: Fault = async (world, chance, who) => {
  const held = world.runners.findIndex(({ said }) => said.id === who);
  const n = held < 0 ? chance.below(world.runners.length) : held;
  await world.runners[n]?.kill();
  await world.startRunner(n);
};

/** Stops PostgreSQL in the middle of everything and starts it again. */
export const restartPostgres: Fault = async ({ postgres }) => {
  await postgres?.stop();
  await postgres?.start();
};

/** Disturbs the next few requests to one of the coordinators, by runners and clients alike. */
export const disturbRequests: Fault = async ({ proxies }, chance) => {
  const fault = chance.pick(PROXY_FAULTS);
  proxies[chance.below(proxies.length)]?.disturb(fault, 1 + chance.below(MOST_DISTURBED));
};

/** Stops a runner in the middle of what it does; it goes on after its leases have ended. */
export const pauseRunner: Fault = async ({ runners, plan }, chance) => {
  pause(runners[chance.below(runners.length)], plan.leaseSeconds);
};

/** Stops a coordinator for longer than a lease. */
export const pauseCoordinator: Fault = async ({ coordinators, plan }, chance) => {
  pause(coordinators[chance.below(coordinators.length)], plan.leaseSeconds);
};

/** Takes all room from a coordinator's store, until it has refused something or for a while, and gives it back. */
export const fillDisk: Fault = async (world, chance) => {
  const isKilled = chance.below(3) === 0;
  world.disk?.fill();
  await world.moments.after("no_room", 1 + chance.below(MOST_DISTURBED), FULL_MS);
  if (isKilled) await world.coordinators[0]?.kill();
  world.disk?.free();
  if (isKilled) await world.startCoordinator(0);
};

/** Changes the files of a trusted guard while agents try what it refuses. */
export const tamperWithGuard: Fault = async ({ project, client, moments }) => {
  const restore = await project.tamper();
  const ended = moments.after("run_completed", GUARDED_RUNS, TAMPERED_MS);
  const runs = Array.from({ length: GUARDED_RUNS }, () => client.start("guarded"));
  await Promise.all([...runs, ended]);
  await restore();
};

const MOST_DISTURBED = 4;
const FULL_MS = 2_000;
const TAMPERED_MS = 2_000;
const GUARDED_RUNS = 3;

/** Work and other faults go on meanwhile. */
function pause(paused: LiveProcess<unknown> | undefined, leaseSeconds = 2): void {
  paused?.freeze();
  setTimeout(() => paused?.thaw(), leaseSeconds * 1_000 + 200);
}
