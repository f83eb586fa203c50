import { Agent, type AgentResult, type InvokeArgs, tool } from "@strands-agents/sdk";
import { adapterSupport } from "@tenterhook/adapters";
import { hooksPlugin } from "@tenterhook/adapters/strands";
import { z } from "zod";
// Not an entry point: it is only for tests.
import {
  type Driver,
  isDelegation,
  type ScriptedAnswer,
} from "./node_modules/@tenterhook/adapters/dist/testing/parity/index.js";
import { type Answer, ScriptedModel } from "./scripted-model.ts";

const support = adapterSupport().find(({ adapter }) => adapter === "strands") as Driver["support"];

const PATHS = { paths: z.array(z.string()) };

/** Runs scenarios with an agent that has the plugin. */
export const driver: Driver = {
  name: "Strands",
  support,
  canStream: true,
  differences: {
    // The answer was given already, and Strands has no error for it.
    "ends the run that a hook stops when the agent would stop": { outcome: { text: "Done." } },
    // Strands' own text for a caller's abort.
    "ends a run that is aborted before the model is called": { outcome: { error: "Cancelled by user" } },
    "ends a run that is aborted while a tool runs": { outcome: { error: "Cancelled by user" } },
    "ends a run that is aborted while the model's answer is streamed": {
      outcome: { error: "Cancelled by user" },
    },
    "does not execute a call during whose evaluation the caller aborts the run": {
      outcome: { error: "Cancelled by user" },
    },
    "ends a subagent when the caller aborts the run": { outcome: { error: "Cancelled by user" } },
    // Strands has no way to continue an agent that is a tool and waits for a person: its calls are refused.
    "gives the bag of the run to a subagent that has waited for a person": {
      executed: [],
      outcome: { text: "Done." },
    },
    // A limit is not an error of Strands, and nothing is called there but the end of the run.
    "fires the events at the end of a run that reaches its limit of steps, once": {
      outcome: { text: "" },
      events: [
        "before_agent Hello",
        "before_step 0",
        "before_llm",
        'after_llm completed ""',
        "before_tool Shell ls",
        'after_tool Shell ls completed "ran ls"',
        "after_step 0 completed",
        "after_agent stopped",
      ],
    },
    // Hooks are called again when the person has answered.
    "executes a call that a person approves": { events: resumed('after_tool Shell ls completed "ran ls"') },
    "does not execute a call that a person rejects, and the model reads why": {
      events: resumed("after_tool_failure Shell ls blocked rejected by a person"),
    },
    // Inside the same step: Strands knows nothing of the refused answer.
    "asks the model again when a hook refuses its answer": {
      events: [
        "before_agent Hello",
        "before_step 0",
        "before_llm",
        'after_llm completed "Maybe."',
        ...lastStep(0).slice(1),
      ],
    },
    // The idiom of Strands: the reason is the answer.
    "does not call the model for a message that a hook refuses": { outcome: { text: "closed today" } },
  },
  build: (hooks, options) => {
    const plugin = hooksPlugin(hooks, options);
    return new Agent({ model: new ScriptedModel([]), printer: false, plugins: [plugin] });
  },
  async run({ hooks, tools, script, subagents, prompt, isStreamed, decision, signal, onText, maxSteps }) {
    const model = new ScriptedModel(script.map(toAnswer));
    const shells = tools.map(({ name, takesPaths, execute }) =>
      tool({
        name,
        description: name,
        inputSchema: z.object({ command: z.string(), ...(takesPaths && PATHS) }),
        callback: (input: { command: string }) => execute(input) as string,
      }),
    );
    const helpers = Object.entries(subagents).map(
      ([name, answers]) =>
        new Agent({
          name,
          description: name,
          model: new ScriptedModel(answers.map(toAnswer)),
          printer: false,
          retryStrategy: null,
          tools: shells,
        }),
    );
    const agent = new Agent({
      model,
      printer: false,
      retryStrategy: null,
      tools: [...shells, ...helpers],
      plugins: [hooksPlugin(hooks)],
    });
    const call = async (input: InvokeArgs): Promise<AgentResult> => {
      const options = {
        cancelSignal: signal,
        ...(maxSteps !== undefined && { limits: { turns: maxSteps } }),
      };
      if (!isStreamed) return agent.invoke(input, options);
      const stream = agent.stream(input, options);
      for (;;) {
        const next = await stream.next();
        if (next.done) return next.value;
        if (isText(next.value)) onText();
      }
    };
    const response = decision === "approve" ? true : { type: "reject", reason: "rejected by a person" };
    const requests = () => model.requests.map(({ messages }) => JSON.stringify(messages));
    try {
      let result = await call(prompt);
      while (result.stopReason === "interrupt") {
        const interrupts = result.interrupts ?? [];
        result = await call(
          interrupts.map(({ id }) => ({ interruptResponse: { interruptId: id, response } })),
        );
      }
      const text = result.toString().trim();
      return result.stopReason === "cancelled"
        ? { error: text, requests: requests() }
        : { text, requests: requests() };
    } catch (error) {
      return { error: (error as Error).message, requests: requests() };
    }
  },
};

function toAnswer(answer: ScriptedAnswer): Answer {
  if ("error" in answer) return { error: new Error(answer.error) };
  const calls = (answer.calls ?? []).map((call) =>
    isDelegation(call.name) ? { ...call, input: { input: call.input.command } } : call,
  );
  return { ...answer, calls };
}

function isText(event: object): boolean {
  return "event" in event && JSON.stringify(event.event).includes("textDelta");
}

function resumed(end: string): readonly string[] {
  const call = "before_tool Shell ls";
  const first = ["before_agent Hello", "before_step 0", "before_llm", 'after_llm completed ""'];
  return [...first, call, call, end, "after_step 0 completed", ...lastStep(1)];
}

function lastStep(index: number): readonly string[] {
  return [
    `before_step ${index}`,
    "before_llm",
    'after_llm completed "Done."',
    `after_step ${index} completed`,
    "before_stop no_tool_calls",
    "after_agent completed",
  ];
}
