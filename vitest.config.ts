import { setFlagsFromString } from "node:v8";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { QUICK_START } from "./packages/test-support/src/quick-start.ts";
import { guardRun } from "./packages/test-support/src/run-guard.ts";

// For the databases that tests open in threads of this process.
setFlagsFromString(QUICK_START);
guardRun();

/** Those that take more than ten seconds, the longest first. */
const LONG = [
  "test/faults/storm.test.ts",
  "test/fuzz/http.test.ts",
  "packages/coordinator/src/lists/growth.test.ts",
  "packages/coordinator/src/lifecycle/run-lifecycle.test.ts",
  "packages/bridges/src/plan/many-hooks.test.ts",
  "test/conformance/bridges.test.ts",
  "packages/cli/src/commands/install.test.ts",
  "packages/cli/src/commands/fleet.test.ts",
  "packages/cli/src/commands/init.test.ts",
  "packages/cli/src/commands/trust.test.ts",
  "packages/cli/src/commands/up.test.ts",
  "packages/cli/src/commands/serve.test.ts",
  "test/coordinator/use-cases.test.ts",
  "test/conformance/files.test.ts",
  "test/runner/claims.test.ts",
  "test/faults/late-report.test.ts",
  "packages/agent/src/tools/mcp/connect-mcp-servers.test.ts",
  "packages/agent/src/tools/mcp/mcp-tool.test.ts",
  "packages/cli/src/commands/try.test.ts",
  "test/dashboard/accessibility.test.ts",
  "test/dashboard/start-run.test.ts",
  "test/dashboard/outage.test.ts",
  "test/dashboard/run-live.test.ts",
  "test/dashboard/run-page.test.ts",
  "test/dashboard/approvals.test.ts",
];

/** Begins with the files that take long, so that none of them runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const position = ({ moduleId }: TestSpecification) => {
      const index = LONG.findIndex((name) => moduleId.endsWith(`/${name}`));
      return index < 0 ? LONG.length : index;
    };
    return (await super.sort(files)).sort((one, other) => position(one) - position(other));
  }
}

/** Tests that compute more than they wait; some of them say how long it may take. */
const COMPUTING = ["packages/{internal,protocol,engine}/src/**/*.test.ts"];
/** The command, the bridges, file hooks and scripts, of which these tests start a process for every case. */
const COMMAND = [
  "packages/cli/src/**/*.test.ts",
  "packages/bridges/src/{install/killed-install,judge/unknown-trust,plan/damaged-cache,plan/many-hooks}.test.ts",
  "test/conformance/{bridges,files,processes}.test.ts",
  "{bench,scripts,test/nodes}/**/*.test.ts",
  "test/docs/first-steps.test.ts",
];
/**
 * Databases that are made, locked, filled, killed and replayed, coordinators that are flooded or whose hooks get no response, and what takes
 * long on both stores.
 */
const STORES = [
  "packages/coordinator/src/database/**/*.test.ts",
  "packages/coordinator/src/{events/replay,lifecycle/claim-run,lists/growth,http/slow-subscribers}.test.ts",
  "packages/coordinator/src/{access/session-limit,hooks/fair-slots,hooks/silent-endpoint,http/flood}.test.ts",
  "packages/coordinator/src/{access/token-tree,http/unstarted-runs,lifecycle/set-aside}.test.ts",
];
/** The page in a real browser. */
const PAGE = ["test/dashboard/**/*.test.ts"];
/** A ratio of two times in the browser, which needs a quiet machine: `npm run bench:page`. */
const PAGE_TIMES = ["test/dashboard/runs-stored-many.test.ts"];
/** Processes that are killed, paused and cut off, round after round, and programs that print without end. */
const FAULTS = ["test/faults/**/*.test.ts", "test/runner/noisy-programs.test.ts"];
/** Real coding agents, installed from the npm registry, against a model on loopback. */
const CLIENTS = ["test/clients/**/*.test.ts"];

// Torn down in reverse order: the first of them looks at what all others have left.
const globalSetup = [
  "packages/test-support/src/no-leftovers.ts",
  "packages/test-support/src/postgres-broker.ts",
  "test/dashboard/browser-broker.ts",
];

export default defineConfig({
  test: {
    pool: "threads",
    // Files that follow one another in a thread share what they import: to load it takes longer than most of them do.
    isolate: false,
    // These limits end a test that hangs. A busy machine that is several times slower than usual does not reach them.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: "computing", include: COMPUTING, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: "processes",
          include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
          exclude: [
            "**/node_modules/**",
            ...COMPUTING,
            ...COMMAND,
            ...STORES,
            ...PAGE,
            ...FAULTS,
            ...CLIENTS,
          ],
          globalSetup,
          // Much of the time goes into waiting for processes that tests start.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: { name: "command", include: COMMAND, globalSetup, maxWorkers: 3, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: { name: "stores", include: STORES, globalSetup, maxWorkers: 3, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: {
          name: "page",
          include: PAGE,
          exclude: PAGE_TIMES,
          globalSetup,
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: "page-times",
          include: PAGE_TIMES,
          globalSetup,
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
        },
      },
      {
        extends: true,
        test: { name: "faults", include: FAULTS, globalSetup, maxWorkers: 2, sequence: { groupOrder: 4 } },
      },
      {
        extends: true,
        test: {
          name: "clients",
          include: CLIENTS,
          globalSetup: ["packages/test-support/src/no-leftovers.ts", "test/clients/pinned-clients.ts"],
          testTimeout: 240_000,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
