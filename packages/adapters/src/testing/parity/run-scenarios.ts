import { block, proceed, skip, stop } from "@tenterhook/engine";
import type { Scenario } from "./scenario.ts";
import { firstCall, lastStep, oneCall } from "./script-parts.ts";

/** What hooks on the run and its steps do. */
export const RUN_SCENARIOS: readonly Scenario[] = [
  {
    name: "fires all events of a run with a tool call in order",
    needs: [],
    script: oneCall,
    hooks: () => undefined,
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
  },
  {
    name: "shows the model the context that hooks add",
    needs: [
      ["before_agent", "context"],
      ["before_tool", "context"],
    ],
    script: oneCall,
    hooks: (hooks) => {
      hooks.on("before_agent", () => proceed(undefined, { context: "It is Friday." }));
      hooks.on("before_tool", () => proceed(undefined, { context: "Mind the links." }));
    },
    executed: ["ls"],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool Shell ls completed "ran ls"',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 0: ["It is Friday."], 1: ["Mind the links."] },
  },
  {
    name: "sends the message that a hook changed",
    needs: [["before_agent", "patch"]],
    script: [{ text: "Done." }],
    hooks: (hooks) => void hooks.on("before_agent", () => proceed({ message: "Good morning" })),
    executed: [],
    outcome: { text: "Done." },
    events: ["before_agent Hello", ...lastStep(0)],
    reads: { 0: ["Good morning"] },
  },
  {
    name: "does not call the model for a message that a hook refuses",
    needs: [["before_agent", "block"]],
    script: [],
    hooks: (hooks) => void hooks.on("before_agent", () => block("closed today")),
    executed: [],
    outcome: { error: "closed today" },
    events: ["before_agent Hello", "after_agent stopped"],
  },
  {
    name: "keeps the agent running with the feedback of a hook",
    needs: [["before_stop", "block"]],
    script: [{ text: "Almost." }, { text: "Done." }],
    hooks: (hooks) =>
      void hooks.on("before_stop", ({ finalMessage }) =>
        finalMessage?.content === "Almost." ? block("run the tests") : undefined,
      ),
    executed: [],
    outcome: { text: "Done." },
    events: [
      "before_agent Hello",
      "before_step 0",
      "before_llm",
      'after_llm completed "Almost."',
      "after_step 0 completed",
      "before_stop no_tool_calls",
      ...lastStep(),
    ],
    reads: { 1: ["run the tests"] },
  },
  {
    name: "ends the run that a hook stops before it begins",
    needs: [["before_agent", "stop"]],
    script: [],
    hooks: (hooks) => void hooks.on("before_agent", () => stop("enough")),
    executed: [],
    outcome: { error: "enough" },
    events: ["before_agent Hello", "after_agent stopped"],
  },
  {
    name: "sends the messages that a hook changed at the beginning of a step",
    needs: [["before_step", "patch"]],
    script: [{ text: "Done." }],
    hooks: (hooks) =>
      void hooks.on("before_step", ({ messages }) =>
        proceed({ messages: [...messages, { role: "user", content: "Be brief." }] }),
      ),
    executed: [],
    outcome: { text: "Done." },
    events: ["before_agent Hello", ...lastStep(0)],
    reads: { 0: ["Be brief."] },
  },
  {
    name: "begins the next step when a hook skips one",
    needs: [["before_step", "skip"]],
    script: [{ text: "Done." }],
    hooks: (hooks) => void hooks.on("before_step", ({ stepIndex }) => (stepIndex === 0 ? skip() : undefined)),
    executed: [],
    outcome: { text: "Done." },
    events: ["before_agent Hello", "before_step 0", "after_step 0 skipped", ...lastStep()],
  },
  {
    name: "begins the next step when a hook refuses one",
    needs: [["before_step", "block"]],
    script: [{ text: "Done." }],
    hooks: (hooks) =>
      void hooks.on("before_step", ({ stepIndex }) => (stepIndex === 0 ? block("not yet") : undefined)),
    executed: [],
    outcome: { text: "Done." },
    events: ["before_agent Hello", "before_step 0", "after_step 0 skipped", ...lastStep()],
  },
  {
    name: "ends the run that a hook stops at the beginning of a step",
    needs: [["before_step", "stop"]],
    script: [],
    hooks: (hooks) => void hooks.on("before_step", () => stop("enough")),
    executed: [],
    outcome: { error: "enough" },
    events: ["before_agent Hello", "before_step 0", "after_step 0 stopped", "after_agent stopped"],
  },
  {
    name: "sends the messages that a hook changed at the end of a step",
    needs: [["after_step", "patch"]],
    script: oneCall,
    hooks: (hooks) =>
      void hooks.on("after_step", ({ messages, stepIndex }) =>
        stepIndex === 0
          ? proceed({ messages: [...messages, { role: "user", content: "Be brief." }] })
          : undefined,
      ),
    executed: ["ls"],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool Shell ls completed "ran ls"',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["ran ls", "Be brief."] },
  },
  {
    name: "ends the run that a hook stops at the end of a step",
    needs: [["after_step", "stop"]],
    script: oneCall,
    hooks: (hooks) => void hooks.on("after_step", () => stop("enough")),
    executed: ["ls"],
    outcome: { error: "enough" },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool Shell ls completed "ran ls"',
      "after_step 0 completed",
      "after_agent stopped",
    ],
  },
  {
    name: "ends the run that a hook stops when the agent would stop",
    needs: [["before_stop", "stop"]],
    script: [{ text: "Done." }],
    hooks: (hooks) => void hooks.on("before_stop", () => stop("enough")),
    executed: [],
    outcome: { error: "enough" },
    events: ["before_agent Hello", ...lastStep(0).slice(0, -1), "after_agent stopped"],
  },
];
