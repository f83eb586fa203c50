// One run with one tool call on a scripted model, plain against hooks: `node bench.mjs`.
import { AsyncLocalStorage } from "node:async_hooks";
import { Agent, Runner, setTracingDisabled, tool, Usage } from "@openai/agents";
import { withHooks } from "@tenterhook/adapters/openai-agents";
import { createHooks } from "@tenterhook/engine";
import { z } from "zod";
import { measureRuns, quietCalls, quietHooks } from "../bench.mjs";

setTracingDisabled(true);

/** A model that calls the tool once, then answers. */
const model = {
  async getResponse({ input }) {
    const isLast = Array.isArray(input) && input.some(({ type }) => type === "function_call_result");
    const output = isLast
      ? [
          {
            type: "message",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: "done" }],
          },
        ]
      : [
          {
            type: "function_call",
            callId: "c1",
            name: "weather",
            status: "completed",
            arguments: '{"city":"Rome"}',
          },
        ];
    return { usage: new Usage(), output };
  },
  async *getStreamedResponse(request) {
    const { output } = await this.getResponse(request);
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    yield { type: "response_done", response: { id: "r1", usage, output } };
  },
};

const weather = tool({
  name: "weather",
  description: "The weather of a city.",
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});

const agent = new Agent({ name: "assistant", instructions: "Be short.", model, tools: [weather] });

/** What a program would write that has twenty functions and no engine: a runner with the model and the tool, wrapped. */
function runnerByHand() {
  const call = quietCalls();
  const inner = agent.model;
  const hookedModel = {
    async getResponse(request) {
      call("before_llm", { messages: structuredClone(request.input) });
      const response = await inner.getResponse(request);
      call("after_llm", { response });
      return response;
    },
    async *getStreamedResponse(request) {
      call("before_llm", { messages: structuredClone(request.input) });
      // A text that a function may refuse is shown when all of them have seen it.
      const events = [];
      for await (const event of inner.getStreamedResponse(request)) events.push(event);
      call("after_llm", { events });
      yield* events;
    },
  };
  const hookedWeather = {
    ...weather,
    needsApproval: async (context, input, callId) => {
      call("before_tool", { toolInput: structuredClone(input) });
      return weather.needsApproval(context, input, callId);
    },
    invoke: async (context, input, details) => {
      const toolResult = await weather.invoke(context, input, details);
      call("after_tool", { toolInput: JSON.parse(input), toolResult });
      return toolResult;
    },
  };
  const copy = agent.clone({ model: hookedModel, tools: [hookedWeather] });
  const runner = new Runner();
  const current = new AsyncLocalStorage();
  // A function must know which run it is called for.
  return { run: (_agent, input, options) => current.run({}, () => runner.run(copy, input, options)) };
}

const methods = {
  run: (runner) => runner.run(agent, "hi"),
  stream: async (runner) => {
    for await (const _event of await runner.run(agent, "hi", { stream: true }));
  },
};

for (const [method, start] of Object.entries(methods)) {
  const newRun = (runner) => () => start(runner);
  const variants = {
    plain: newRun(new Runner()),
    "twenty functions by hand": newRun(runnerByHand()),
    "empty set": newRun(withHooks(new Runner(), createHooks())),
    "twenty quiet hooks": newRun(withHooks(new Runner(), quietHooks(createHooks))),
  };
  await measureRuns(`OpenAI Agents ${method}`, variants, { bars: { "twenty quiet hooks": 1.35 } });
}
