import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, test } from "vitest";
import { canShow, runScenario, SCENARIOS } from "../testing/parity/index.ts";
import { createDriver } from "./testing/parity-driver.ts";

const driver = createDriver("AI SDK 6", (options) => new MockLanguageModelV3(options as never));

describe.each([false, true])("the AI SDK, streaming: %s,", (isStreamed) => {
  for (const scenario of SCENARIOS.filter((each) => canShow(driver, each))) {
    test(scenario.name, async () => {
      const { actual, expected } = await runScenario(driver, scenario, isStreamed);
      expect(actual).toEqual(expected);
    });
  }
});
