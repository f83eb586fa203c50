import { block, proceed, recover, skip, stop } from "@tenterhook/engine";
import type { Scenario } from "./scenario.ts";
import { firstCall, lastStep, oneCall } from "./script-parts.ts";

/** What hooks on model calls do. */
export const MODEL_SCENARIOS: readonly Scenario[] = [
  {
    name: "uses the answer of a hook instead of the model's, and changes the model's",
    needs: [
      ["before_llm", "skip"],
      ["after_llm", "patch"],
    ],
    script: [],
    hooks: (hooks) => {
      hooks.on("before_llm", () => skip("a cached answer"));
      hooks.on("after_llm", ({ text }) => proceed({ text: text.toUpperCase() }));
    },
    executed: [],
    outcome: { text: "A CACHED ANSWER" },
    events: [
      "before_agent Hello",
      "before_step 0",
      "before_llm",
      'after_llm skipped "a cached answer"',
      "after_step 0 completed",
      "before_stop no_tool_calls",
      "after_agent completed",
    ],
  },
  {
    name: "fails the run when a hook refuses the model call",
    needs: [["before_llm", "block"]],
    script: [],
    hooks: (hooks) => void hooks.on("before_llm", () => block("too expensive"), { name: "budget" }),
    executed: [],
    outcome: { error: "too expensive" },
    events: [
      "before_agent Hello",
      "before_step 0",
      "before_llm",
      'after_llm failed ""',
      "after_step 0 failed",
      'agent_failed hook "budget": too expensive',
      "after_agent failed",
    ],
  },
  {
    name: "asks the model again when a hook refuses its answer",
    needs: [["after_llm", "block"]],
    script: [{ text: "Maybe." }, { text: "Done." }],
    hooks: (hooks) =>
      void hooks.on("after_llm", ({ text }) => (text === "Maybe." ? block("be certain") : undefined)),
    executed: [],
    outcome: { text: "Done." },
    events: [
      "before_agent Hello",
      "before_step 0",
      "before_llm",
      'after_llm completed "Maybe."',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["Your last answer was refused: be certain"] },
  },
  {
    name: "uses the answer with which a hook recovers a failed model call",
    needs: [["on_error", "recover"]],
    script: [{ error: "overloaded" }],
    hooks: (hooks) =>
      void hooks.on("on_error", ({ phase }) => (phase === "llm" ? recover("Try later.") : undefined)),
    executed: [],
    outcome: { text: "Try later." },
    events: [
      "before_agent Hello",
      "before_step 0",
      "before_llm",
      "on_error llm overloaded",
      'after_llm completed "Try later."',
      "after_step 0 completed",
      "before_stop no_tool_calls",
      "after_agent completed",
    ],
  },
  {
    name: "sends the request that a hook changed",
    needs: [["before_llm", "patch"]],
    script: [{ text: "Done." }],
    hooks: (hooks) =>
      void hooks.on("before_llm", ({ messages }) =>
        proceed({ messages: [...messages, { role: "user", content: "Be brief." }] }),
      ),
    executed: [],
    outcome: { text: "Done." },
    events: ["before_agent Hello", ...lastStep(0)],
    reads: { 0: ["Hello", "Be brief."] },
  },
  {
    name: "ends the run that a hook stops before a model call",
    needs: [["before_llm", "stop"]],
    script: [],
    hooks: (hooks) => void hooks.on("before_llm", () => stop("enough")),
    executed: [],
    outcome: { error: "enough" },
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
    name: "ends the run that a hook stops after a model call, and executes no tool",
    needs: [["after_llm", "stop"]],
    script: oneCall,
    hooks: (hooks) => void hooks.on("after_llm", () => stop("enough")),
    executed: [],
    outcome: { error: "enough" },
    events: [...firstCall, "after_step 0 stopped", "after_agent stopped"],
  },
  {
    name: "fails the run with the error of the model, which hooks are offered first",
    needs: [["on_error"], ["agent_failed"]],
    script: [{ error: "overloaded" }],
    hooks: () => undefined,
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
  },
  {
    name: "fails the run with the error that a hook put in place of the model's",
    needs: [["on_error", "patch"]],
    script: [{ error: "overloaded" }],
    hooks: (hooks) => void hooks.on("on_error", () => proceed({ error: new Error("try at night") })),
    executed: [],
    outcome: { error: "try at night" },
    events: [
      "before_agent Hello",
      "before_step 0",
      "before_llm",
      "on_error llm overloaded",
      'after_llm failed ""',
      "after_step 0 failed",
      "agent_failed try at night",
      "after_agent failed",
    ],
  },
  {
    name: "ends the run that a hook stops at an error of the model",
    needs: [["on_error", "stop"]],
    script: [{ error: "overloaded" }],
    hooks: (hooks) => void hooks.on("on_error", () => stop("enough")),
    executed: [],
    outcome: { error: "enough" },
    events: [
      "before_agent Hello",
      "before_step 0",
      "before_llm",
      "on_error llm overloaded",
      'after_llm stopped ""',
      "after_step 0 stopped",
      "after_agent stopped",
    ],
  },
  {
    name: "calls the wrappers of a model call around it",
    needs: [["around_llm"]],
    script: [{ text: "Almost." }, { text: "Done." }],
    hooks: (hooks) =>
      void hooks.around("around_llm", async (_call, next) => {
        await next();
        return next();
      }),
    executed: [],
    outcome: { text: "Done." },
    events: ["before_agent Hello", ...lastStep(0)],
  },
];
