import { type Effect, listEffects } from "@tenterhook/engine/host";
import { registerEffect } from "./effect-hooks.ts";
import type { Scenario } from "./scenario.ts";
import { oneCall } from "./script-parts.ts";

/** The events at which an effect that a framework cannot carry fails the turn, as a failing hook does there. */
const EVENTS = ["before_step", "after_step"] as const;

/** What frameworks do with answers of hooks that they cannot carry: a row for each effect, of which each framework runs those that it lacks. */
export const MISSING_EFFECT_SCENARIOS: readonly Scenario[] = EVENTS.flatMap((event) =>
  listEffects(event).map(
    (effect): Scenario => ({
      name: `fails the run, and names the hook, where ${event} cannot carry ${effect}`,
      needs: [],
      lacks: [event, effect],
      script: oneCall,
      hooks: (hooks) => registerEffect(hooks, event, effect, { name: "guard" }),
      executed: event === "after_step" ? ["ls"] : [],
      outcome: { error: `hook "guard" on ${event}: it answered with ${describe(effect)}, which` },
    }),
  ),
);

function describe(effect: Effect): string {
  return effect === "patch" ? "changed messages" : effect;
}
