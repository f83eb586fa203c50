import { ask, block, proceed, recover, skip, stop } from "@tenterhook/engine";
import type { Scenario, ScriptedAnswer } from "./scenario.ts";

const shell = (command: string, id = "1") => ({ id, name: "Shell", input: { command } });
const oneCall: readonly ScriptedAnswer[] = [{ calls: [shell("ls")] }, { text: "Done." }];

/** The events of the second step, in which the model answers with a text. */
const lastStep = (step = 1) => [
  `before_step ${step}`,
  "before_llm",
  'after_llm completed "Done."',
  `after_step ${step} completed`,
  "before_stop no_tool_calls",
  "after_agent completed",
];
const firstCall = ["before_agent Hello", "before_step 0", "before_llm", 'after_llm completed ""'];

/** The same behaviour in every framework and in Tenterhook's own agent, written once. */
export const SCENARIOS: readonly Scenario[] = [
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
    name: "executes the input that a hook changed, about which the hooks before it are asked again",
    needs: [["before_tool", "patch"]],
    script: oneCall,
    hooks: (hooks) => {
      hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "rm" ? block("no rm") : undefined), {
        priority: 10,
      });
      hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }));
    },
    executed: ["pwd"],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool Shell pwd completed "ran pwd"',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["ran pwd"] },
  },
  {
    name: "refuses a changed input that an earlier hook refuses in its second judgement",
    needs: [["before_tool", "patch"]],
    script: oneCall,
    hooks: (hooks) => {
      hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "rm" ? block("no rm") : undefined), {
        priority: 10,
      });
      hooks.on("before_tool", () => proceed({ toolInput: { command: "rm" } }));
    },
    executed: [],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      "after_tool_failure Shell ls blocked no rm",
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["no rm"] },
  },
  {
    name: "does not execute a blocked call, and the model reads the reason",
    needs: [["before_tool", "block"]],
    script: oneCall,
    hooks: (hooks) => void hooks.on("before_tool", () => block("not on a Friday")),
    executed: [],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      "after_tool_failure Shell ls blocked not on a Friday",
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["not on a Friday"] },
  },
  {
    name: "gives the model the result of a skipped call",
    needs: [["before_tool", "skip"]],
    script: oneCall,
    hooks: (hooks) => void hooks.on("before_tool", () => skip("from the cache")),
    executed: [],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool Shell ls skipped "from the cache"',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["from the cache"] },
  },
  {
    name: "refuses a call about which a guard fails",
    needs: [["before_tool", "block"]],
    script: oneCall,
    hooks: (hooks) =>
      void hooks.on(
        "before_tool",
        () => {
          throw new Error("no policy");
        },
        { name: "guard" },
      ),
    executed: [],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool_failure Shell ls blocked hook "guard" on before_tool: it failed: no policy. Its onError is block.',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["no policy"] },
  },
  {
    name: "executes a call about which a hook fails that may fail",
    needs: [["before_tool"]],
    script: oneCall,
    hooks: (hooks) =>
      void hooks.on(
        "before_tool",
        () => {
          throw new Error("no policy");
        },
        { onError: "continue" },
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
  },
  {
    name: "executes a call that a person approves",
    needs: [["before_tool", "ask"]],
    script: oneCall,
    hooks: (hooks) => void hooks.on("before_tool", () => ask("sure?")),
    decision: "approve",
    executed: ["ls"],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool Shell ls completed "ran ls"',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["ran ls"] },
  },
  {
    name: "does not execute a call that a person rejects, and the model reads why",
    needs: [["before_tool", "ask"]],
    script: oneCall,
    hooks: (hooks) => void hooks.on("before_tool", () => ask("sure?")),
    decision: "reject",
    executed: [],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      "after_tool_failure Shell ls blocked rejected by a person",
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["rejected by a person"] },
  },
  {
    name: "ends the run that a hook stops at a tool call",
    needs: [["before_tool", "stop"]],
    script: oneCall,
    hooks: (hooks) => void hooks.on("before_tool", () => stop("enough")),
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
    name: "changes and withholds results of tools",
    needs: [
      ["after_tool", "patch"],
      ["after_tool", "block"],
    ],
    script: [{ calls: [shell("ls")] }, { calls: [shell("secrets", "2")] }, { text: "Done." }],
    hooks: (hooks) =>
      void hooks.on("after_tool", ({ toolInput }) =>
        toolInput.command === "secrets" ? block("it is secret") : proceed({ toolResult: "three files" }),
      ),
    executed: ["ls", "secrets"],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool Shell ls completed "ran ls"',
      "after_step 0 completed",
      "before_step 1",
      "before_llm",
      'after_llm completed ""',
      "before_tool Shell secrets",
      'after_tool Shell secrets completed "ran secrets"',
      "after_step 1 completed",
      ...lastStep(2),
    ],
    reads: { 1: ["three files"], 2: ["The result was withheld: it is secret"] },
  },
  {
    name: "gives the model the result with which a hook recovers a failed tool",
    needs: [["after_tool_failure", "recover"]],
    script: [{ calls: [shell("fail")] }, { text: "Done." }],
    hooks: (hooks) => void hooks.on("after_tool_failure", () => recover("two files")),
    executed: ["fail"],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell fail",
      "after_tool_failure Shell fail failed the disk is full",
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["two files"] },
  },
  {
    name: "shows the model the error of a tool that no hook recovers",
    needs: [["after_tool_failure"]],
    script: [{ calls: [shell("fail")] }, { text: "Done." }],
    hooks: () => undefined,
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
    name: "evaluates parallel calls one by one, in the order of the model",
    needs: [["before_tool", "block"]],
    script: [{ calls: [shell("ls"), shell("rm", "2"), shell("pwd", "3")] }, { text: "Done." }],
    hooks: (hooks) =>
      void hooks.on("before_tool", ({ toolInput }) =>
        toolInput.command === "rm" ? block("no rm") : undefined,
      ),
    executed: ["ls", "pwd"],
    outcome: { text: "Done." },
    reads: { 1: ["ran ls", "no rm", "ran pwd"] },
  },
];
