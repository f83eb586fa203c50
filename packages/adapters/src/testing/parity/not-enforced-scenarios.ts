import type { Hooks } from "@tenterhook/engine";
import { type Effect, listEffects } from "@tenterhook/engine/host";
import type { EventName } from "@tenterhook/protocol";
import { COMPARED } from "./describe-event.ts";
import { registerEffect } from "./effect-hooks.ts";
import type { Scenario } from "./scenario.ts";
import { firstCall, lastStep, oneCall, shell } from "./script-parts.ts";

/** Hooks that are not enforced: on every event one for each effect that a hook may have there. */
export const NOT_ENFORCED_SCENARIOS: readonly Scenario[] = [
  notEnforced({
    name: "does nothing of what hooks on a run and its tool call would have done that are not enforced",
    needs: [],
    script: oneCall,
    executed: ["ls"],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool Shell ls completed "ran ls"',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 0: ["Hello"], 1: ["ran ls"] },
  }),
  notEnforced({
    name: "does nothing of what hooks on a failed tool call would have done that are not enforced",
    needs: [["after_tool_failure"]],
    script: [{ calls: [shell("fail")] }, { text: "Done." }],
    executed: ["fail"],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell fail",
      "after_tool_failure Shell fail failed the disk is full",
      "on_error tool the disk is full",
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["the disk is full"] },
  }),
  notEnforced({
    name: "does nothing of what hooks on a failed model call would have done that are not enforced",
    needs: [["on_error"], ["agent_failed"]],
    script: [{ error: "overloaded" }],
    executed: [],
    outcome: { error: "overloaded" },
    events: [
      "before_agent Hello",
      "before_step 0",
      "before_llm",
      "on_error llm overloaded",
      'after_llm failed ""',
      "after_step 0 failed",
      "agent_failed overloaded",
      "after_agent failed",
    ],
  }),
];

function notEnforced(scenario: Omit<Scenario, "hooks" | "decision" | "wouldHave">): Scenario {
  const fired = new Set((scenario.events ?? []).map((event) => event.split(" ", 1)[0] as EventName));
  return {
    ...scenario,
    // Nobody is asked.
    decision: "reject",
    hooks: registerAll,
    wouldHave: [...fired].flatMap((event) =>
      listEffects(event).map((effect) => `${event} ${verdictOn(effect)} ${effect}`),
    ),
  };
}

function registerAll(hooks: Hooks): void {
  for (const event of COMPARED)
    for (const effect of listEffects(event))
      registerEffect(hooks, event, effect, { name: effect, enforce: false });
}

function verdictOn(effect: Effect): string {
  return `would_${effect === "patch" || effect === "context" ? "change" : effect}`;
}
