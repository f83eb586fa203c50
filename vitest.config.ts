import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    pool: "threads",
    globalSetup: ["packages/coordinator/src/testing/postgres-desk.ts"],
    testTimeout: 20_000,
  },
});
