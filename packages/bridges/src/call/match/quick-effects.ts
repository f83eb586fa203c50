import { effectFinder, loadEffects, readEffects } from "@tenterhook/engine/internal";
import type { Step } from "../translate/translate.ts";
import { matchersLeft, type PlannedHooks } from "./plan-file.ts";

/** Whether what a call does concerns a matcher, so that the engine must be loaded. What cannot be read may concern it. */
export async function mayMatchEffects(plan: PlannedHooks, steps: readonly Step[]): Promise<boolean> {
  try {
    await loadEffects();
    return steps.some((step) => {
      const call = readEffects(step.payload, undefined);
      return matchersLeft(plan, [step]).some(
        ({ effect }) => effect === undefined || effectFinder(effect)(call) !== undefined,
      );
    });
  } catch {
    return true;
  }
}
