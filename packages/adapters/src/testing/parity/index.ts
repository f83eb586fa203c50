export { type Comparison, canShow, runScenario } from "./run-scenario.ts";
export type {
  Driver,
  DriverResult,
  DriverRun,
  Outcome,
  Scenario,
  ScenarioTool,
  ScriptedAnswer,
  SubagentScripts,
} from "./scenario.ts";
export { SCENARIOS } from "./scenarios.ts";
export { isDelegation } from "./script-parts.ts";
export { testFileHooks } from "./test-file-hooks.ts";
export { testScenarios } from "./test-scenarios.ts";
export { testSetUp } from "./test-set-up.ts";
