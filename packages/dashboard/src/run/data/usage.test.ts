import { expect, test } from "vitest";
import { eventsOf } from "../timeline/timeline-fixtures.ts";
import { usageOf } from "./usage.ts";

test("adds up the tokens of all attempts, and is undefined without usage events", () => {
  const usage = { input_tokens: 40, output_tokens: 7 };
  expect(usageOf(eventsOf(["agent_usage", 1, usage], ["run_retried", 2], ["agent_usage", 3, usage]))).toEqual(
    {
      inputTokens: 80,
      outputTokens: 14,
    },
  );
  expect(usageOf(eventsOf(["run_started", 1]))).toBeUndefined();
});
