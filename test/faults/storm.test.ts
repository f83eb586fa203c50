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
import { STORM_MS } from "./seed.ts";
import { HAS_NAMESPACES } from "./small-disk.ts";
import { weather } from "./weather.ts";

const GLOBAL_OPTIONS = [
  COORDINATOR_KILLED,
  RUNNER_KILLED,
  REQUESTS_DISTURBED,
  HOOK_RUNNER_KILLED,
  RUNNER_PAUSED,
  REQUESTS_DISTURBED,
  COORDINATOR_PAUSED,
  GUARD_TAMPERED,
] as const;

// Side by side, because most of a storm is waiting for what was killed to come back.
describe.concurrent("whatever is killed, paused, full, tampered with or lost on the way, at whichever moment, nothing is lost, nothing is done twice, and nothing passes a guard", () => {
  test(
    "by a coordinator with an embedded store and two runners, and the store always opens again",
    async ({ onTestFinished }) => {
      // Where namespaces are not permitted there is no disk that could be filled, and the store is on the machine's own.
      const kinds = HAS_NAMESPACES ? ([...GLOBAL_OPTIONS, DISK_FILLED] as const) : GLOBAL_OPTIONS;
      const plan = { store: "embedded", coordinators: 1, runners: 2, hasSmallDisk: HAS_NAMESPACES } as const;
      await weather(plan, kinds, onTestFinished);
    },
    STORM_MS,
  );

  test(
    "by two coordinators and four runners on one PostgreSQL",
    async ({ onTestFinished }) => {
      const kinds = [...GLOBAL_OPTIONS, POSTGRES_RESTARTED] as const;
      await weather({ store: "server", coordinators: 2, runners: 4 }, kinds, onTestFinished);
    },
    STORM_MS,
  );
});
