import { setTimeout } from "node:timers/promises";
import { ask, block, type Context, proceed, recover, skip, stop } from "@tenterhook/engine";
import { ToolFailure } from "@tenterhook/protocol";
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
    name: "does not execute a command that does what a hook guards, however it is written",
    needs: [["before_tool", "block"]],
    script: [
      { calls: [shell("X=/; sudo rm -fr $X")] },
      { calls: [shell("echo 'rm -rf /'", "2")] },
      { text: "Done." },
    ],
    hooks: (hooks) => {
      const guard = ({ match }: Context<"before_tool">) => block(match?.description ?? "");
      hooks.on("before_tool", guard, { matcher: { effect: "delete", path: "root" } });
    },
    executed: ["echo 'rm -rf /'"],
    outcome: { text: "Done." },
    reads: { 1: ["deletes / recursively"] },
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
  {
    name: "executes a call that a hook rewrites to the input that the next hook sees",
    needs: [["before_tool", "patch"]],
    script: oneCall,
    hooks: (hooks, _abort, note) => {
      hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }));
      hooks.on("before_tool", ({ toolInput }) => note(String(toolInput.command)), { rejudge: false });
    },
    executed: ["pwd"],
    outcome: { text: "Done." },
    notes: ["pwd"],
  },
  {
    name: "refuses a call about which a guard does not answer in time",
    needs: [["before_tool", "block"]],
    script: oneCall,
    hooks: (hooks) =>
      void hooks.on("before_tool", () => new Promise<undefined>(() => {}), { name: "guard", timeoutMs: 1 }),
    executed: [],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      'after_tool_failure Shell ls blocked hook "guard" on before_tool: it did not answer within 1 ms. Give it a longer timeoutMs, or do the slow part in the background. Its onError is block.',
      "after_step 0 completed",
      ...lastStep(),
    ],
    reads: { 1: ["did not answer within 1 ms"] },
  },
  {
    name: "does not execute a call during whose evaluation the caller aborts the run",
    needs: [["before_tool"]],
    script: oneCall,
    hooks: (hooks, abort) => void hooks.on("before_tool", () => abort()),
    waitsFor: "after_agent",
    executed: [],
    outcome: { error: "the user left" },
    events: [
      ...firstCall,
      "before_tool Shell ls",
      "after_tool_failure Shell ls blocked the run was stopped: the user left",
      "after_step 0 stopped",
      "after_agent stopped",
    ],
  },
  {
    name: "asks no hook about a call behind one that stopped the run, and fires nothing after it",
    needs: [["before_tool", "stop"]],
    script: [{ calls: [shell("ls"), shell("pwd", "2")] }],
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
    name: "ends a running call as failed when a hook stops the run at a call beside it",
    needs: [["after_tool", "stop"]],
    script: [{ calls: [shell("wait"), shell("stop", "2")] }],
    hooks: (hooks, _abort, note) => {
      hooks.on("after_tool", () => stop("enough"));
      hooks.on("after_tool_failure", ({ toolInput, status }) => note(`${toolInput.command} ${status}`));
    },
    executed: ["wait", "stop"],
    outcome: { error: "enough" },
    notes: ["wait failed"],
  },
  {
    name: "ends a call whose evaluation breaks as failed, with its events",
    needs: [["before_tool"]],
    script: oneCall,
    hooks: (hooks) =>
      void hooks.beforeEachDispatch((event) => {
        if (event === "before_tool") throw new Error("the source of hooks broke");
      }),
    executed: [],
    outcome: { text: "Done." },
    events: [
      ...firstCall,
      "after_tool_failure Shell ls failed the source of hooks broke",
      "on_error tool the source of hooks broke",
      "after_step 0 completed",
      ...lastStep(),
    ],
  },
  {
    name: "shows the structured result of a failed call at the end of its step",
    needs: [["before_tool", "skip"], ["after_step"]],
    script: oneCall,
    hooks: (hooks, _abort, note) => {
      hooks.on("before_tool", () => skip(new ToolFailure("no disk", { result: { code: 28 } })));
      hooks.on("after_step", ({ toolCalls = [] }) =>
        toolCalls.forEach(({ result }) => void note(JSON.stringify(result))),
      );
    },
    executed: [],
    outcome: { text: "Done." },
    notes: ['{"success":false,"error":"no disk","result":{"code":28}}'],
  },
  {
    name: "measures how long the tool ran: not at all if it was refused, else without the hooks before it",
    needs: [["before_tool", "block"]],
    script: [{ calls: [shell("rm")] }, { calls: [shell("ls", "2")] }, { text: "Done." }],
    hooks: (hooks, _abort, note) => {
      let evaluatedAt = 0;
      hooks.on("before_tool", async ({ toolInput }) => {
        await setTimeout(5);
        evaluatedAt = performance.now();
        return toolInput.command === "rm" ? block("no rm") : undefined;
      });
      hooks.on("after_tool_failure", ({ durationMs }) => note(`${durationMs}`));
      // If the tool had ended just now, it would have started after the hook at the earliest.
      hooks.on("after_tool", ({ durationMs = 0 }) =>
        note(`${performance.now() - durationMs >= evaluatedAt}`),
      );
    },
    executed: ["ls"],
    outcome: { text: "Done." },
    notes: ["0", "true"],
  },
];
