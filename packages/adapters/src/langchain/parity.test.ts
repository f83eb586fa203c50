import { describe, expect, test } from "vitest";
import { canShow, runScenario, SCENARIOS } from "../testing/parity/index.ts";
import { driver } from "./testing/parity-driver.ts";

test("LangChain can show every scenario", () => {
  expect(SCENARIOS.filter((scenario) => !canShow(driver, scenario)).map(({ name }) => name)).toEqual([]);
});

describe.each([false, true])("LangChain, streaming: %s,", (isStreamed) => {
  for (const scenario of SCENARIOS.filter((each) => canShow(driver, each))) {
    test(scenario.name, async () => {
      const { actual, expected } = await runScenario(driver, scenario, isStreamed);
      expect(actual).toEqual(expected);
    });
  }
});
