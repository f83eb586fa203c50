import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { createDriver } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/parity-driver.js";
import {
  canShow,
  runScenario,
  SCENARIOS,
} from "./node_modules/@tenterhook/adapters/dist/testing/parity/index.js";

const driver = createDriver("AI SDK 7", (options) => new MockLanguageModelV4(options as never));

describe.each([false, true])("the AI SDK 7, streaming: %s,", (isStreamed) => {
  for (const scenario of SCENARIOS.filter((each) => canShow(driver, each))) {
    test(scenario.name, async () => {
      const { actual, expected } = await runScenario(driver, scenario, isStreamed);
      expect(actual).toEqual(expected);
    });
  }
});
