import { describe, expect, test } from "vitest";
import { KNOWN_DIFFERENCES } from "./known-differences.ts";
import { canShow, runScenario } from "./run-scenario.ts";
import type { Driver, Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

/** Tests every scenario that a host can show, with and without streaming. */
export function testScenarios(driver: Driver): void {
  const known = KNOWN_DIFFERENCES.filter(({ host }) => host === driver.support.name);
  const canRun = (scenario: Scenario, isStreamed: boolean) =>
    canShow(driver, scenario) && (scenario.abortsAt === undefined || isStreamed);

  for (const isStreamed of driver.canStream ? [false, true] : [false]) {
    describe(`${driver.name}, ${isStreamed ? "" : "not "}streaming,`, () => {
      for (const scenario of SCENARIOS) {
        if (!canRun(scenario, isStreamed)) continue;
        const difference = known.find((row) => row.scenario === scenario.name);
        const title =
          difference === undefined ? scenario.name : `${scenario.name}: not yet, ${difference.reason}`;
        test(title, async () => {
          const { actual, expected } = await runScenario(driver, scenario, isStreamed);
          if (difference === undefined) expect(actual).toEqual(expected);
          // If it passes: remove its row.
          else expect(actual).not.toEqual(expected);
        });
      }
    });
  }

  test(`${driver.name} can show the scenarios of its known differences`, () => {
    const shown = SCENARIOS.filter((scenario) => canRun(scenario, driver.canStream)).map(({ name }) => name);
    expect(known.filter(({ scenario }) => !shown.includes(scenario))).toEqual([]);
  });
}
