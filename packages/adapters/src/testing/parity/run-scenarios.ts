import { block, type Context, proceed, skip, stop } from "@tenterhook/engine";
import type { Scenario } from "./scenario.ts";
import { createSignal, firstCall, lastStep, oneCall, shell } from "./script-parts.ts";

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
  {
    name: "keeps the reason of the first stop",
    needs: [
      ["before_tool", "stop"],
      ["after_step", "stop"],
    ],
    script: oneCall,
    hooks: (hooks) => {
      hooks.on("before_tool", () => stop("enough"));
      hooks.on("after_step", () => stop("too late"));
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
    name: "shows the messages of a stopped step at its end",
    needs: [["before_llm", "stop"], ["after_step"]],
    script: [],
    hooks: (hooks, _abort, note) => {
      hooks.on("before_llm", () => stop("enough"));
      hooks.on("after_step", ({ messages, status }) =>
        note(`${status} ${JSON.stringify(messages).includes("Hello")}`),
      );
    },
    executed: [],
    outcome: { error: "enough" },
    notes: ["stopped true"],
  },
  {
    name: "shows the last step that the model answered as the current one, after a skipped step",
    needs: [["before_step", "skip"]],
    script: oneCall,
    hooks: (hooks, _abort, note) =>
      void hooks.on("before_step", ({ stepIndex, state }) => {
        note(`${stepIndex}: ${describeStep(state)}`);
        return stepIndex === 1 ? skip() : undefined;
      }),
    executed: ["ls"],
    outcome: { text: "Done." },
    notes: ["0: none", "1: 0 ls", "2: 0 ls"],
  },
  {
    name: "shows the last step that the model answered as the current one, after a failed step",
    needs: [["agent_failed"], ["before_llm"]],
    script: [{ calls: [shell("ls")] }, { error: "overloaded" }],
    hooks: (hooks, _abort, note) =>
      void hooks.on(["agent_failed", "after_agent"], ({ state }) => note(describeStep(state))),
    executed: ["ls"],
    outcome: { error: "overloaded" },
    notes: ["0 ls", "0 ls"],
  },
  {
    name: "gives two runs at the same time a bag each, and a stop ends one of them",
    needs: [["before_agent"], ["before_tool", "stop"]],
    script: oneCall,
    hooks: (hooks, _abort, note) => {
      const [first, second] = [createSignal(), createSignal()];
      hooks.on("before_agent", ({ message, metadata }) => {
        metadata.message = message;
      });
      // The one waits until the other has got as far, and that one until the first has been stopped.
      hooks.on("before_tool", async ({ metadata }) => {
        if (metadata.message === "Hello") {
          await second.given;
          return stop("enough");
        }
        second.give();
        await first.given;
        return undefined;
      });
      hooks.on("after_agent", ({ metadata }) => {
        note(String(metadata.message));
        first.give();
      });
    },
    executed: [],
    outcome: { error: "enough" },
    beside: { prompt: "Good evening", executed: ["ls"], outcome: { text: "Done." } },
    notes: ["Hello", "Good evening"],
  },
];

function describeStep(state: Context<"before_step">["state"]): string {
  const { currentStep } = state ?? {};
  if (currentStep === null || currentStep === undefined) return "none";
  const { index, toolCalls = [] } = currentStep;
  return `${index} ${toolCalls.map(({ input }) => String(input.command)).join(" ")}`;
}
