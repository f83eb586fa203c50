import type { Scenario } from "./scenario.ts";
import { firstCall, shell } from "./script-parts.ts";

/** Runs that their caller aborts, and runs that reach their limit. */
export const ENDING_SCENARIOS: readonly Scenario[] = [
  {
    name: "ends a run that is aborted before the model is called",
    needs: [["before_agent"]],
    script: [],
    hooks: (hooks, abort) => void hooks.on("before_agent", () => abort()),
    executed: [],
    outcome: { error: "the user left" },
    events: ["before_agent Hello", "after_agent stopped"],
  },
  {
    name: "ends a run that is aborted while a tool runs",
    needs: [["before_tool"]],
    script: [{ calls: [shell("leave")] }],
    hooks: () => undefined,
    waitsFor: "after_agent",
    executed: ["leave"],
    outcome: { error: "the user left" },
    events: [
      ...firstCall,
      "before_tool Shell leave",
      "after_tool_failure Shell leave failed the user left",
      "after_step 0 stopped",
      "after_agent stopped",
    ],
  },
  {
    name: "ends a run that is aborted while the model's answer is streamed",
    needs: [["after_llm"]],
    script: [{ text: "Done." }],
    hooks: () => undefined,
    abortsAt: "text",
    waitsFor: "after_agent",
    executed: [],
    outcome: { error: "the user left" },
    events: [
      "before_agent Hello",
      "before_step 0",
      "before_llm",
      'after_llm stopped ""',
      "after_step 0 stopped",
      "after_agent stopped",
    ],
  },
  {
    name: "fires the events at the end of a run that reaches its limit of steps, once",
    needs: [["before_tool"]],
    script: [{ calls: [shell("ls")] }, { text: "Done." }],
    maxSteps: 1,
    hooks: () => undefined,
    executed: ["ls"],
    outcome: { error: "it reached its limit of 1 steps" },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool Shell ls completed "ran ls"',
      "after_step 0 completed",
      "before_stop max_steps",
      "after_agent stopped",
    ],
  },
];
