import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import type { Driver, DriverRun } from "../../testing/parity/index.ts";
import { hooksMiddleware } from "../middleware.ts";
import { LANGCHAIN_SUPPORT } from "../support.ts";
import { ScriptedModel } from "./scripted-model.ts";

const PATHS = { paths: z.array(z.string()) };

/** Runs scenarios with an agent of `createAgent`. */
export const driver: Driver = {
  name: "LangChain",
  support: LANGCHAIN_SUPPORT,
  canStream: true,
  differences: {
    // LangGraph ends the run without calling a middleware.
    "fires the events at the end of a run that reaches its limit of steps, once": {
      outcome: { error: "Recursion limit of 4 reached" },
      events: [
        "before_agent Hello",
        "before_step 0",
        "before_llm",
        'after_llm completed ""',
        "before_tool Shell ls",
        'after_tool Shell ls completed "ran ls"',
      ],
    },
    "does not call the model for a message that a hook refuses": {
      // LangChain's way to refuse: the run ends with the reason as the answer.
      outcome: { text: "closed today" },
    },
    "asks the model again when a hook refuses its answer": {
      // Inside the same step: LangChain knows nothing of the refused answer.
      events: [
        "before_agent Hello",
        "before_step 0",
        "before_llm",
        'after_llm completed "Maybe."',
        "before_llm",
        'after_llm completed "Done."',
        "after_step 0 completed",
        "before_stop no_tool_calls",
        "after_agent completed",
      ],
    },
    "executes a call that a person approves": { events: resumed('after_tool Shell ls completed "ran ls"') },
    "does not execute a call that a person rejects, and the model reads why": {
      events: resumed("after_tool_failure Shell ls blocked rejected by a person"),
    },
  },
  build: (hooks, options) =>
    createAgent({ model: new ScriptedModel([]), tools: [], middleware: [hooksMiddleware(hooks, options)] }),
  async run(driverRun: DriverRun) {
    const { hooks, tools, script, subagents, prompt, isStreamed, decision, signal, onText, maxSteps } =
      driverRun;
    const newModel = (turns: DriverRun["script"]) =>
      new ScriptedModel(
        turns.map((turn) => ("error" in turn ? new Error(turn.error) : { ...turn, calls: turn.calls ?? [] })),
      );
    const newAgent = (name: string, model: ScriptedModel, all: DriverRun["tools"]) =>
      createAgent({
        name,
        model,
        tools: all.map(({ name, takesPaths, execute }) =>
          tool((input: { command: string }) => execute(input), {
            name,
            description: name,
            schema: z.object({ command: z.string(), ...(takesPaths && PATHS) }),
          }),
        ),
        middleware: [hooksMiddleware(hooks)],
        // That of an agent in a tool is its parent's.
        ...(all.length > tools.length || Object.keys(subagents).length === 0
          ? { checkpointer: new MemorySaver() }
          : {}),
      });
    const model = newModel(script);
    const helpers = Object.entries(subagents).map(([name, turns]) => {
      const helper = newAgent(name, newModel(turns), tools);
      const execute = async ({ command }: { readonly command: string }) => {
        const input = { messages: [new HumanMessage(command)] };
        if (!isStreamed) return (await helper.invoke(input)).messages.at(-1)?.text;
        let end: RunEnd = { messages: [] };
        for await (const values of await helper.stream(input, { streamMode: "values" }))
          end = values as unknown as RunEnd;
        return end.messages.at(-1)?.text;
      };
      return { name, takesPaths: false, execute };
    });
    const agent = newAgent("agent", model, [...tools, ...helpers]);
    const config = {
      configurable: { thread_id: "1" },
      signal,
      // LangGraph counts nodes: beforeAgent, beforeModel, the model, and the tools are one step.
      ...(maxSteps !== undefined && { recursionLimit: 4 * maxSteps }),
    };
    const call = async (input: object): Promise<RunEnd> => {
      if (!isStreamed) return (await agent.invoke(input as never, config)) as unknown as RunEnd;
      let end: RunEnd = { messages: [] };
      const stream = await agent.stream(input as never, { ...config, streamMode: ["values", "messages"] });
      for await (const [mode, values] of stream as unknown as AsyncIterable<[string, RunEnd]>)
        if (mode === "values") end = { ...end, ...values };
        else onText();
      return end;
    };
    const requests = () => model.inputs.map((messages) => JSON.stringify(messages));
    const resume = {
      decisions: [
        decision === "approve" ? { type: decision } : { type: decision, message: "rejected by a person" },
      ],
    };
    try {
      let end = await call({ messages: [new HumanMessage(prompt)] });
      while (end.__interrupt__ !== undefined) end = await call(new Command({ resume }));
      return { text: end.messages.at(-1)?.text ?? "", requests: requests() };
    } catch (error) {
      return { error: (error as Error).message, requests: requests() };
    }
  },
};

interface RunEnd {
  readonly messages: readonly BaseMessage[];
  readonly __interrupt__?: readonly unknown[];
}

/** The graph pauses at the question, and goes on in the same step: there the hooks of the call are called again. */
function resumed(afterCall: string): readonly string[] {
  return [
    "before_agent Hello",
    "before_step 0",
    "before_llm",
    'after_llm completed ""',
    "before_tool Shell ls",
    "before_tool Shell ls",
    afterCall,
    "after_step 0 completed",
    "before_step 1",
    "before_llm",
    'after_llm completed "Done."',
    "after_step 1 completed",
    "before_stop no_tool_calls",
    "after_agent completed",
  ];
}
