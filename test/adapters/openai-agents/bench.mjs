// One run with one tool call on a scripted model, plain against hooks: `node bench.mjs`.
import { Agent, Runner, setTracingDisabled, tool, Usage } from "@openai/agents";
import { withHooks } from "@tenterhook/adapters/openai-agents";
import { createHooks } from "@tenterhook/engine";
import { z } from "zod";
import { measureRuns, quietHooks } from "../bench.mjs";

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
    "empty set": newRun(withHooks(new Runner(), createHooks())),
    "twenty quiet hooks": newRun(withHooks(new Runner(), quietHooks(createHooks))),
  };
  await measureRuns(`OpenAI Agents ${method}`, variants, { bars: { "twenty quiet hooks": 1.35 } });
}
