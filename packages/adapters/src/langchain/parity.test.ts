import { expect, test } from "vitest";
import { canShow, SCENARIOS, testScenarios } from "../testing/parity/index.ts";
import { driver } from "./testing/parity-driver.ts";

test("LangChain can show every scenario", () => {
  expect(SCENARIOS.filter((scenario) => !canShow(driver, scenario)).map(({ name }) => name)).toEqual([]);
});

testScenarios(driver);
