import { setFlagsFromString } from "node:v8";
import { defineConfig } from "vitest/config";
import { QUICK_START } from "./packages/test-support/src/quick-start.ts";
import { guardRun } from "./packages/test-support/src/run-guard.ts";

// For the databases that tests open in threads of this process.
setFlagsFromString(QUICK_START);
guardRun();

/** Where tests are: beside the file, and in `test/` what crosses packages. */
const ROOTS = "{packages/*/src,examples,bench,scripts,test}";
/** Folders whose tests are a suite of their own, whatever their names say. */
const FOLDERS = ["test/page/**", "test/faults/**", "test/fuzz/**", "test/clients/**", "test/adapters/**"];

/** Test files named `x.KIND.test.ts`, which says what they need. */
function named(kind: string): { include: string[]; exclude: string[] } {
  return { include: [`${ROOTS}/**/*.${kind}.test.ts`], exclude: ["**/node_modules/**", ...FOLDERS] };
}

// Torn down in reverse order: the first of them looks at what all others have left.
const globalSetup = [
  "packages/test-support/src/no-leftovers.ts",
  "packages/test-support/src/postgres-broker.ts",
  "test/page/browser-broker.ts",
];

// Within a project Vitest begins with the files that took longest the last time; at first, with the largest.
export default defineConfig({
  test: {
    pool: "threads",
    // Files that follow one another in a thread share what they import: to load it takes longer than most of them do.
    isolate: false,
    // These limits end a test that hangs. A busy machine that is several times slower than usual does not reach them.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        // Tests that only compute; some of them limit the time. A process, thread or server that such a test starts is an error.
        test: {
          name: "compute",
          include: [`${ROOTS}/**/*.test.ts`],
          exclude: ["**/node_modules/**", ...FOLDERS, "**/*.{process,command,store,nightly,quiet}.test.ts"],
          setupFiles: ["packages/test-support/src/only-compute.ts"],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        // Much of the time goes into waiting for the processes and servers that these tests start, so there are more workers than cores.
        test: {
          name: "process",
          ...named("process"),
          globalSetup,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        // The command, the bridges, file hooks and scripts, of which these tests start a process for every case.
        test: {
          name: "command",
          ...named("command"),
          globalSetup,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        // Databases that are made, locked, filled, killed and replayed, coordinators that are flooded, and what takes long on both stores.
        test: { name: "store", ...named("store"), globalSetup, maxWorkers: 3, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        // Generated input for every interface.
        test: {
          name: "fuzz",
          include: ["test/fuzz/**/*.test.ts"],
          globalSetup,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        // The page in a real browser.
        test: {
          name: "page",
          include: ["test/page/**/*.test.ts"],
          exclude: ["**/*.quiet.test.ts"],
          globalSetup,
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        // Processes that are killed, paused and cut off, round after round.
        test: {
          name: "faults",
          include: ["test/faults/*.test.ts"],
          exclude: ["**/*.nightly.test.ts"],
          globalSetup,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        // Rarer faults, and what few people use: they need not be looked at after each change.
        test: {
          name: "nightly",
          include: [`${ROOTS}/**/*.nightly.test.ts`],
          globalSetup,
          maxWorkers: 3,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        // Ratios of two times, which need a quiet machine.
        test: {
          name: "quiet",
          include: [`${ROOTS}/**/*.quiet.test.ts`],
          globalSetup,
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
        },
      },
      {
        extends: true,
        // Real coding agents, installed from the npm registry, against a model on loopback.
        test: {
          name: "clients",
          include: ["test/clients/**/*.test.ts"],
          globalSetup: ["packages/test-support/src/no-leftovers.ts", "test/clients/pinned-clients.ts"],
          // A client may take five minutes, and most tests run it twice.
          testTimeout: 900_000,
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
});
