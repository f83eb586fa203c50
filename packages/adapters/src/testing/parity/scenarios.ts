import { ENDING_SCENARIOS } from "./ending-scenarios.ts";
import { FAILING_HOOK_SCENARIOS } from "./failing-hook-scenarios.ts";
import { MISSING_EFFECT_SCENARIOS } from "./missing-effect-scenarios.ts";
import { MODEL_SCENARIOS } from "./model-scenarios.ts";
import { NOT_ENFORCED_SCENARIOS } from "./not-enforced-scenarios.ts";
import { RUN_SCENARIOS } from "./run-scenarios.ts";
import type { Scenario } from "./scenario.ts";
import { SUBAGENT_SCENARIOS } from "./subagent-scenarios.ts";
import { TOOL_SCENARIOS } from "./tool-scenarios.ts";

/** The same behaviour in every framework and in Tenterhook's own agent, written once. */
export const SCENARIOS: readonly Scenario[] = [
  ...RUN_SCENARIOS,
  ...MODEL_SCENARIOS,
  ...TOOL_SCENARIOS,
  ...ENDING_SCENARIOS,
  ...SUBAGENT_SCENARIOS,
  ...FAILING_HOOK_SCENARIOS,
  ...NOT_ENFORCED_SCENARIOS,
  ...MISSING_EFFECT_SCENARIOS,
];
