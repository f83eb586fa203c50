import { type Hooks, stop } from "@tenterhook/engine";
import type { EventName } from "@tenterhook/protocol";
import type { Scenario } from "./scenario.ts";
import { firstCall, lastStep, oneCall, shell } from "./script-parts.ts";

const theCall = [
  ...firstCall,
  "before_tool Shell ls",
  'after_tool Shell ls completed "ran ls"',
  "after_step 0 completed",
];
const failedCall = [
  "before_agent Hello",
  "before_step 0",
  "before_llm",
  "on_error llm overloaded",
  'after_llm failed ""',
  "after_step 0 failed",
  "agent_failed overloaded",
  "after_agent failed",
];
const error = "no policy";

/**
 * What a guard that throws does at each event. Frameworks swallow what many of their callbacks throw, or never end because of it: what a
 * hook throws has to have the same effect everywhere.
 */
export const FAILING_HOOK_SCENARIOS: readonly Scenario[] = [
  {
    name: "refuses a message about which a guard fails",
    needs: [["before_agent", "block"]],
    script: [],
    hooks: failOn("before_agent"),
    executed: [],
    outcome: { error },
    events: ["before_agent Hello", `agent_failed ${failure("before_agent")}`, "after_agent failed"],
  },
  {
    name: "fails the run when a guard fails at the beginning of a step",
    needs: [["before_step"]],
    script: [],
    hooks: failOn("before_step"),
    executed: [],
    outcome: { error },
    events: ["before_agent Hello", "before_step 0", ...failedStep("before_step")],
  },
  {
    name: "fails the run when a guard fails before a model call",
    needs: [["before_llm", "block"]],
    script: [],
    hooks: failOn("before_llm"),
    executed: [],
    outcome: { error },
    events: [
      "before_agent Hello",
      "before_step 0",
      "before_llm",
      'after_llm failed ""',
      ...failedStep("before_llm"),
    ],
  },
  {
    name: "executes no tool when a guard fails after a model call",
    needs: [["after_llm", "block"]],
    script: oneCall,
    hooks: failOn("after_llm"),
    executed: [],
    outcome: { error },
    events: [...firstCall, ...failedStep("after_llm")],
  },
  {
    name: "withholds a result about which a guard fails",
    needs: [["after_tool", "block"]],
    script: oneCall,
    hooks: failOn("after_tool"),
    executed: ["ls"],
    outcome: { text: "Done." },
    events: [...theCall, ...lastStep()],
    reads: { 1: [error] },
    neverReads: ["ran ls"],
  },
  {
    name: "leaves a failed call failed when a guard on it fails",
    needs: [["after_tool_failure"]],
    script: [{ calls: [shell("fail")] }, { text: "Done." }],
    hooks: failOn("after_tool_failure"),
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
  },
  {
    name: "fails the run when a guard fails at the end of a step",
    needs: [["after_step"]],
    script: oneCall,
    hooks: failOn("after_step"),
    executed: ["ls"],
    outcome: { error },
    events: [...theCall, `agent_failed ${failure("after_step")}`, "after_agent failed"],
  },
  {
    name: "fails the run when a guard fails at the end of its last step",
    needs: [["after_step"]],
    script: [{ text: "Done." }],
    hooks: failOn("after_step"),
    executed: [],
    outcome: { error },
    events: [
      "before_agent Hello",
      "before_step 0",
      "before_llm",
      'after_llm completed "Done."',
      "after_step 0 completed",
      `agent_failed ${failure("after_step")}`,
      "after_agent failed",
    ],
  },
  {
    name: "leaves a run stopped when a guard fails at the end of the step in which a hook stopped it",
    needs: [["before_tool", "stop"], ["after_step"]],
    script: oneCall,
    hooks: (hooks) => {
      hooks.on("before_tool", () => stop("enough"));
      failOn("after_step")(hooks);
    },
    executed: [],
    outcome: { error: "enough" },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      "after_tool_failure Shell ls blocked the run was stopped: enough",
      "after_step 0 stopped",
      "after_agent stopped",
    ],
  },
  {
    name: "fails the run when a guard fails where the agent would stop",
    needs: [["before_stop", "block"]],
    script: oneCall,
    hooks: failOn("before_stop"),
    executed: ["ls"],
    outcome: { error },
    events: [
      ...theCall,
      ...lastStep().slice(0, -1),
      `agent_failed hook "guard" on before_stop: the agent stopped without satisfying its gate: its gate could not check it: ${failure("before_stop")}`,
      "after_agent failed",
    ],
  },
  {
    name: "fails the run with the error of the model when a guard on that error fails",
    needs: [["on_error"]],
    script: [{ error: "overloaded" }],
    hooks: failOn("on_error"),
    executed: [],
    outcome: { error: "overloaded" },
    events: failedCall,
  },
  {
    name: "fails the run with its own error when a hook on the failed run fails",
    needs: [["agent_failed"]],
    script: [{ error: "overloaded" }],
    hooks: failOn("agent_failed"),
    executed: [],
    outcome: { error: "overloaded" },
    events: failedCall,
  },
  {
    name: "reports a guard that fails after the run to the caller",
    needs: [["after_agent"]],
    script: oneCall,
    hooks: failOn("after_agent"),
    executed: ["ls"],
    outcome: { error },
    events: [...theCall, ...lastStep()],
  },
];

function failOn(event: EventName): (hooks: Hooks) => void {
  const fail = (): never => {
    throw new Error(error);
  };
  return (hooks) => void hooks.on(event, fail, { name: "guard", onError: "block" });
}

function failure(event: EventName): string {
  return `hook "guard" on ${event}: it failed: ${error}.`;
}

/** The events at the end of a run whose first step failed. */
function failedStep(event: EventName): readonly string[] {
  return ["after_step 0 failed", `agent_failed ${failure(event)}`, "after_agent failed"];
}
