import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    pool: "threads",
    // Much of the time goes into waiting for processes that tests start.
    maxWorkers: 2,
    globalSetup: ["packages/coordinator/src/testing/postgres-desk.ts", "test/dashboard/browser-desk.ts"],
    testTimeout: 20_000,
  },
});
