import { describe, expect, test } from "vitest";
import {
  canShow,
  runScenario,
  SCENARIOS,
} from "./node_modules/@tenterhook/adapters/dist/testing/parity/index.js";
import { driver } from "./parity-driver.ts";

describe.each([false, true])("OpenAI Agents, streaming: %s,", (isStreamed) => {
  for (const scenario of SCENARIOS.filter((each) => canShow(driver, each))) {
    test(scenario.name, async () => {
      const { actual, expected } = await runScenario(driver, scenario, isStreamed);
      expect(actual).toEqual(expected);
    });
  }
});
