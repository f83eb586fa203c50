import { describe, expect, test } from "vitest";
import { canShow, runScenario } from "./run-scenario.ts";
import type { Driver } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

/** Tests every scenario that a framework can show, with and without streaming. */
export function testScenarios(driver: Driver): void {
  for (const isStreamed of driver.canStream ? [false, true] : [false]) {
    describe(`${driver.name}, ${isStreamed ? "" : "not "}streaming,`, () => {
      for (const scenario of SCENARIOS) {
        if (!canShow(driver, scenario) || (scenario.abortsAt !== undefined && !isStreamed)) continue;
        test(scenario.name, async () => {
          const { actual, expected } = await runScenario(driver, scenario, isStreamed);
          expect(actual).toEqual(expected);
        });
      }
    });
  }
}
