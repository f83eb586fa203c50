import { describe, test } from "vitest";
import {
  COORDINATOR_KILLED,
  COORDINATOR_PAUSED,
  DISK_FILLED,
  GUARD_TAMPERED,
  HOOK_RUNNER_KILLED,
  POSTGRES_RESTARTED,
  REQUESTS_DISTURBED,
  RUNNER_KILLED,
  RUNNER_PAUSED,
} from "./fault-kinds.ts";
import { runFaults } from "./run-faults.ts";
import { STORM_MS } from "./seed.ts";
import { HAS_NAMESPACES } from "./small-disk.ts";

const ALL_FAULTS = [
  COORDINATOR_KILLED,
  RUNNER_KILLED,
  REQUESTS_DISTURBED,
  HOOK_RUNNER_KILLED,
  RUNNER_PAUSED,
  REQUESTS_DISTURBED,
  COORDINATOR_PAUSED,
  GUARD_TAMPERED,
] as const;

// Concurrent, because most of the time is spent waiting for restarts.
describe.concurrent("with killed and paused processes, a full disk, tampered files and lost requests, nothing is lost, done twice, or passes a guard", () => {
  test(
    "with an embedded store and two runners; the store always opens again",
    async ({ onTestFinished }) => {
      // Without namespaces there is no small disk, and the store is on the disk of the machine.
      const kinds = HAS_NAMESPACES ? ([...ALL_FAULTS, DISK_FILLED] as const) : ALL_FAULTS;
      const plan = { store: "embedded", coordinators: 1, runners: 2, hasSmallDisk: HAS_NAMESPACES } as const;
      await runFaults(plan, kinds, onTestFinished);
    },
    STORM_MS,
  );

  test(
    "with two coordinators and four runners on one PostgreSQL server",
    async ({ onTestFinished }) => {
      const kinds = [...ALL_FAULTS, POSTGRES_RESTARTED] as const;
      await runFaults({ store: "server", coordinators: 2, runners: 4 }, kinds, onTestFinished);
    },
    STORM_MS,
  );
});
