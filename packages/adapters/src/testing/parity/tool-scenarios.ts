import { ask, block, proceed, recover, skip, stop } from "@tenterhook/engine";
import type { Scenario } from "./scenario.ts";
import { firstCall, lastStep, oneCall, pack, shell } from "./script-parts.ts";

/** What hooks on tool calls do. */
export const TOOL_SCENARIOS: readonly Scenario[] = [
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
    neverReads: ["ran ls", "ran secrets"],
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
  {
    name: "ends the run that a hook stops after a tool call",
    needs: [["after_tool", "stop"]],
    script: oneCall,
    hooks: (hooks) => void hooks.on("after_tool", () => stop("enough")),
    executed: ["ls"],
    outcome: { error: "enough" },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool Shell ls completed "ran ls"',
      "after_step 0 stopped",
      "after_agent stopped",
    ],
  },
  {
    name: "shows the model the context that hooks add to a result",
    needs: [["after_tool", "context"]],
    script: oneCall,
    hooks: (hooks) => void hooks.on("after_tool", () => proceed(undefined, { context: "Mind the links." })),
    executed: ["ls"],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool Shell ls completed "ran ls"',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["ran ls", "Mind the links."] },
  },
  {
    name: "gives the model the result that a hook puts in place of a failure",
    needs: [["after_tool_failure", "patch"]],
    script: [{ calls: [shell("fail")] }, { text: "Done." }],
    hooks: (hooks) => void hooks.on("after_tool_failure", () => proceed({ toolResult: "two files" })),
    executed: ["fail"],
    outcome: { text: "Done." },
    reads: { 1: ["two files"] },
  },
  {
    name: "shows the model the context that hooks add to a failure",
    needs: [["after_tool_failure", "context"]],
    script: [{ calls: [shell("fail")] }, { text: "Done." }],
    hooks: (hooks) =>
      void hooks.on("after_tool_failure", () => proceed(undefined, { context: "Try again at night." })),
    executed: ["fail"],
    outcome: { text: "Done." },
    reads: { 1: ["the disk is full", "Try again at night."] },
  },
  {
    name: "ends the run that a hook stops after a failed tool call",
    needs: [["after_tool_failure", "stop"]],
    script: [{ calls: [shell("fail")] }, { text: "Done." }],
    hooks: (hooks) => void hooks.on("after_tool_failure", () => stop("enough")),
    executed: ["fail"],
    outcome: { error: "enough" },
    events: [
      ...firstCall,
      "before_tool Shell fail",
      "after_tool_failure Shell fail failed the disk is full",
      "after_step 0 stopped",
      "after_agent stopped",
    ],
  },
  {
    name: "calls the wrappers of a tool call around it",
    needs: [["around_tool"]],
    script: oneCall,
    hooks: (hooks) =>
      void hooks.around("around_tool", async (_call, next) => `wrapped: ${String(await next())}`),
    executed: ["ls"],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool Shell ls completed "wrapped: ran ls"',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["wrapped: ran ls"] },
  },
  {
    name: "gives a tool an input that it may write to, after a hook without objection",
    needs: [["before_tool"]],
    script: [{ calls: [pack("zip")] }, { text: "Done." }],
    hooks: (hooks) => void hooks.on("before_tool", () => undefined),
    executed: ["zip src,README"],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Pack zip",
      'after_tool Pack zip completed "ran zip src,README"',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["ran zip src,README"] },
  },
  {
    name: "gives a tool a changed input that it may write to",
    needs: [["before_tool", "patch"]],
    script: [{ calls: [pack("zip")] }, { text: "Done." }],
    hooks: (hooks) =>
      void hooks.on("before_tool", () => proceed({ toolInput: { command: "tar", paths: ["docs"] } })),
    executed: ["tar docs,README"],
    outcome: { text: "Done." },
    reads: { 1: ["ran tar docs,README"] },
  },
  {
    name: "executes a tool again for a wrapper that tries again after a failure",
    needs: [["around_tool"]],
    script: [{ calls: [shell("flaky")] }, { text: "Done." }],
    hooks: (hooks) =>
      void hooks.around("around_tool", async (_call, next) => {
        try {
          return await next();
        } catch {
          return next();
        }
      }),
    executed: ["flaky", "flaky"],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell flaky",
      'after_tool Shell flaky completed "ran flaky"',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["ran flaky"] },
    neverReads: ["the disk is busy"],
  },
  {
    name: "starts two parallel calls in the order of the model",
    needs: [["before_tool"]],
    script: [{ calls: [shell("ls"), shell("pwd", "2")] }, { text: "Done." }],
    hooks: (hooks) => void hooks.on("before_tool", () => undefined),
    executed: ["ls", "pwd"],
    outcome: { text: "Done." },
    reads: { 1: ["ran ls", "ran pwd"] },
  },
];
