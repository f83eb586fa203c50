import { Agent, Runner, type RunResult, type StreamedRunResult } from "@openai/agents";
import { modelError, modelStream } from "@openai/agents/testing";
import { withHooks } from "@tenterhook/adapters/openai-agents";
import { z } from "zod";
// Not an entry point: it is only for tests.
import {
  type Driver,
  type DriverRun,
  isDelegation,
  type ScriptedAnswer,
} from "./node_modules/@tenterhook/adapters/dist/testing/parity/index.js";
import { type AnyAgent, call, ScriptedModel, SUPPORT, say, tool } from "./script.ts";

type Result = RunResult<unknown, AnyAgent> | StreamedRunResult<unknown, AnyAgent>;

const PATHS = { paths: z.array(z.string()) };

/** Runs scenarios with a runner that has hooks, on the SDK's scripted model. */
export const driver: Driver = {
  name: "OpenAI Agents",
  support: SUPPORT,
  canStream: true,
  differences: {
    // A limit is an error of the SDK.
    "fires the events at the end of a run that reaches its limit of steps, once": {
      outcome: { error: "Max turns (1) exceeded" },
      events: [
        "before_agent Hello",
        "before_step 0",
        "before_llm",
        'after_llm completed ""',
        "before_tool Shell ls",
        'after_tool Shell ls completed "ran ls"',
        "after_step 0 failed",
        "agent_failed Max turns (1) exceeded",
        "after_agent failed",
      ],
    },
    // Inside the same step: the SDK knows nothing of the refused answer.
    "asks the model again when a hook refuses its answer": {
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
    // The SDK hides it from the model.
    "shows the model the error of a tool that no hook recovers": {
      reads: { 1: ["An error occurred while running the tool. Please try again."] },
    },
    "shows the model the context that hooks add to a failure": {
      reads: { 1: ["An error occurred while running the tool. Please try again.", "Try again at night."] },
    },
    "does nothing of what hooks on a failed tool call would have done that are not enforced": {
      reads: { 1: ["An error occurred while running the tool. Please try again."] },
    },
    // Hooks are called again when the run continues.
    "executes a call that a person approves": {
      events: continued(["before_tool Shell ls", 'after_tool Shell ls completed "ran ls"']),
    },
    // The SDK has no extension point for a call that a person rejected.
    "does not execute a call that a person rejects, and the model reads why": { events: continued([]) },
  },
  build: (hooks, options) => withHooks(new Runner(), hooks, options),
  async run(driverRun: DriverRun) {
    const { hooks, tools, script, subagents, prompt, isStreamed, decision, signal, onText, maxSteps } =
      driverRun;
    const model = new ScriptedModel(script.map(toStep));
    const shells = tools.map(({ name, takesPaths, execute }) =>
      tool({
        name,
        description: name,
        parameters: z.object({ command: z.string(), ...(takesPaths && PATHS) }),
        execute: async (input: { command: string }) => execute(input) as string,
      }),
    );
    const helpers = Object.entries(subagents).map(([name, answers]) => {
      const helper = new Agent({ name, model: new ScriptedModel(answers.map(toStep)), tools: shells });
      return withHooks(helper, hooks, { runner: true }).asTool({
        toolName: name,
        toolDescription: name,
        ...(isStreamed && { onStream: () => undefined }),
      });
    });
    const agent = new Agent({ name: "assistant", model, tools: [...shells, ...helpers] });
    const runner = withHooks(new Runner(), hooks);
    const run = async (input: unknown): Promise<Result> => {
      const options = { signal, ...(maxSteps !== undefined && { maxTurns: maxSteps }) };
      if (!isStreamed) return (await runner.run(agent, input as string, options)) as Result;
      const result = await runner.run(agent, input as string, { ...options, stream: true });
      for await (const event of result)
        if (event.type === "raw_model_stream_event" && event.data.type === "output_text_delta") onText();
      // The stream of an aborted run just ends.
      signal.throwIfAborted();
      return result as Result;
    };
    const requests = () =>
      model.calls.map(({ request }) => JSON.stringify([request.systemInstructions, request.input]));
    try {
      let result = await run(prompt);
      while (result.interruptions.length > 0) {
        for (const item of result.interruptions) {
          if (decision === "approve") result.state.approve(item);
          else result.state.reject(item, { message: "rejected by a person" });
        }
        result = await run(result.state);
      }
      return { text: String(result.finalOutput), requests: requests() };
    } catch (error) {
      return { error: (error as Error).message, requests: requests() };
    }
  },
};

function toStep(answer: ScriptedAnswer) {
  if ("error" in answer) return modelError(new Error(answer.error));
  if ("wait" in answer) return modelStream(writeText(answer.text, answer.wait));
  const { text, calls = [] } = answer;
  return [
    ...(text === undefined ? [] : [say(text)]),
    ...calls.map(({ id, name, input }) =>
      call(name, isDelegation(name) ? { input: input.command } : input, id),
    ),
  ];
}

/** The text of an answer that does not end. */
async function* writeText(delta: string, wait: () => Promise<void>) {
  yield { type: "response_started" as const };
  yield { type: "output_text_delta" as const, delta };
  await wait();
}

/** The events of a run that waits for a person, and continues. */
function continued(afterwards: readonly string[]): readonly string[] {
  return [
    "before_agent Hello",
    "before_step 0",
    "before_llm",
    'after_llm completed ""',
    "before_tool Shell ls",
    ...afterwards,
    "after_step 0 completed",
    "before_step 1",
    "before_llm",
    'after_llm completed "Done."',
    "after_step 1 completed",
    "before_stop no_tool_calls",
    "after_agent completed",
  ];
}
