import { expect, test } from "vitest";
import { canShow, SCENARIOS, type Scenario, testScenarios } from "../testing/parity/index.ts";
import { driver } from "./testing/parity-driver.ts";

test("LangChain can show every scenario, and lacks no effect", () => {
  const isHidden = (scenario: Scenario) => canShow(driver, scenario) !== (scenario.lacks === undefined);
  expect(SCENARIOS.filter(isHidden).map(({ name }) => name)).toEqual([]);
});

testScenarios(driver);
