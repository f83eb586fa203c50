import { setFlagsFromString } from "node:v8";
import { defineConfig } from "vitest/config";
import { QUICK_START } from "./packages/coordinator/src/testing/quick-start.ts";

// For the databases that tests open in threads of this process.
setFlagsFromString(QUICK_START);

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    pool: "threads",
    // Much of the time goes into waiting for processes that tests start.
    maxWorkers: 2,
    globalSetup: ["packages/coordinator/src/testing/postgres-desk.ts"],
    testTimeout: 20_000,
  },
});
