import { Agent, type AgentConfig } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { adapterSupport } from "@tenterhook/adapters";
import { withHooks } from "@tenterhook/adapters/mastra";
import { z } from "zod";
// Not an entry point: it is only for tests.
import {
  type Driver,
  isDelegation,
  type ScriptedAnswer,
} from "./node_modules/@tenterhook/adapters/dist/testing/parity/index.js";
import { type Answer, scriptModel } from "./scripted-model.ts";
import { answer, readRequest, register, run } from "./testing.ts";

const support = adapterSupport().find(({ adapter }) => adapter === "mastra") as Driver["support"];

const PATHS = { paths: z.array(z.string()) };

export const driver: Driver = {
  name: "Mastra",
  support,
  canStream: true,
  differences: {
    // Mastra gives the signal of a call to the model first, and does not call it then.
    "ends a run that is aborted before the model is called": { events: ["before_agent Hello"] },
    // A limit is not an error of Mastra.
    "fires the events at the end of a run that reaches its limit of steps, once": { outcome: { text: "" } },
    // Hooks are called again when the person has answered.
    "executes a call that a person approves": { events: resumed('after_tool Shell ls completed "ran ls"') },
    "does not execute a call that a person rejects, and the model reads why": {
      events: resumed("after_tool_failure Shell ls blocked rejected by a person"),
    },
    // Inside the same step: Mastra knows nothing of the refused answer.
    "asks the model again when a hook refuses its answer": {
      events: [
        "before_agent Hello",
        "before_step 0",
        "before_llm",
        'after_llm completed "Maybe."',
        ...lastStep(0).slice(1),
      ],
    },
  },
  build: (hooks, options) =>
    new Agent(
      withHooks(
        { id: "a", name: "a", instructions: "Help.", model: scriptModel([]) as never, tools: {} },
        hooks,
        options,
      ),
    ),
  async run({ hooks, tools, script, subagents, prompt, isStreamed, decision, signal, onText, maxSteps }) {
    const model = scriptModel(script.map(toAnswer));
    const newConfig = (name: string, answers: ReturnType<typeof scriptModel>): AgentConfig => ({
      id: name,
      name,
      description: name,
      instructions: "Help.",
      model: answers as never,
      tools: Object.fromEntries(
        tools.map(({ name, takesPaths, execute }) => [
          name,
          createTool({
            id: name,
            description: name,
            inputSchema: z.object({ command: z.string(), ...(takesPaths && PATHS) }),
            execute: async (input: { command: string }) => execute(input),
          }),
        ]),
      ),
    });
    const helpers = Object.entries(subagents).map(([name, answers]) => {
      const config = newConfig(name, scriptModel(answers.map(toAnswer)));
      return [name, new Agent(withHooks(config, hooks))] as const;
    });
    const config = { ...newConfig("parity", model), agents: Object.fromEntries(helpers) };
    const agent = new Agent(withHooks(config as AgentConfig, hooks));
    register(agent as Agent);
    const options = { abortSignal: signal, ...(maxSteps !== undefined && { maxSteps }) };
    let end = await run(agent as Agent, isStreamed, options, prompt, onText);
    while (end.finishReason === "suspended") {
      const approved = decision === "approve";
      end = await answer(agent as Agent, isStreamed, end.runId, end.waitingCall ?? "", { approved });
    }
    const requests = model.requests.map(readRequest);
    // An aborted run does not reject.
    if (signal.aborted) return { error: end.error ?? (signal.reason as Error).message, requests };
    return end.error === undefined ? { text: end.text, requests } : { error: end.error, requests };
  },
};

function toAnswer(answer: ScriptedAnswer): Answer {
  if ("error" in answer) return new Error(answer.error);
  const calls = (answer.calls ?? []).map((call) =>
    isDelegation(call.name)
      ? { ...call, name: `agent-${call.name}`, input: { prompt: call.input.command } }
      : call,
  );
  return { ...answer, calls };
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
