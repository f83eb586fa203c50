import { ENDING_SCENARIOS } from "./ending-scenarios.ts";
import { MODEL_SCENARIOS } from "./model-scenarios.ts";
import { RUN_SCENARIOS } from "./run-scenarios.ts";
import type { Scenario } from "./scenario.ts";
import { TOOL_SCENARIOS } from "./tool-scenarios.ts";

/** The same behaviour in every framework and in Tenterhook's own agent, written once. */
export const SCENARIOS: readonly Scenario[] = [
  ...RUN_SCENARIOS,
  ...MODEL_SCENARIOS,
  ...TOOL_SCENARIOS,
  ...ENDING_SCENARIOS,
];
