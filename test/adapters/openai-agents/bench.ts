// Measures one run with one tool call, plain against hooks: `node bench.js`. Prints a table; fails if a bar is missed by more than a third.
import { performance } from "node:perf_hooks";
import { Agent, type Model, Runner, type StreamEvent, setTracingDisabled, tool, Usage } from "@openai/agents";
import { withHooks } from "@tenterhook/adapters/openai-agents";
import { createHooks, type EventName, type Hooks } from "@tenterhook/engine";
import { z } from "zod";

setTracingDisabled(true);

const EVENTS: readonly EventName[] = ["before_llm", "after_llm", "before_tool", "after_tool"];
const [WARM_UPS, ROUNDS, RUNS] = [200, 12, 30];

/** A model that calls the tool once, then answers. */
const model: Model = {
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
    return { usage: new Usage(), output } as Awaited<ReturnType<Model["getResponse"]>>;
  },
  async *getStreamedResponse(request) {
    const { output } = await this.getResponse(request);
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    yield { type: "response_done", response: { id: "r1", usage, output } } as StreamEvent;
  },
};

const weather = tool({
  name: "weather",
  description: "The weather of a city.",
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});

const agent = new Agent({ name: "assistant", instructions: "Be short.", model, tools: [weather] });

/** Twenty hooks that let everything pass. */
function quietHooks(): Hooks {
  const hooks = createHooks();
  for (let index = 0; index < 20; index++)
    hooks.on(EVENTS[index % EVENTS.length] as EventName, () => undefined);
  return hooks;
}

const variants = {
  plain: { runner: new Runner(), bar: undefined },
  "empty set": { runner: withHooks(new Runner(), createHooks()), bar: 1.1 },
  "twenty quiet hooks": { runner: withHooks(new Runner(), quietHooks()), bar: 1.35 },
};

async function measure(runner: Runner, stream: boolean): Promise<number> {
  const startedAt = performance.now();
  const result = await runner.run(agent, "hi", { stream: stream as true });
  if (stream) for await (const event of result) void event;
  return (performance.now() - startedAt) * 1000;
}

let isMissed = false;
for (const stream of [false, true]) {
  const best: Record<string, number> = {};
  for (const { runner } of Object.values(variants))
    for (let n = 0; n < WARM_UPS; n++) await measure(runner, stream);
  // Taking turns, so that all of them have the same machine.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, { runner }] of Object.entries(variants)) {
      for (let n = 0; n < RUNS; n++) {
        const microseconds = await measure(runner, stream);
        best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, microseconds);
      }
    }
  }
  for (const [name, { bar }] of Object.entries(variants)) {
    const ratio = (best[name] ?? 0) / (best.plain ?? 1);
    const isOver = bar !== undefined && ratio > bar;
    if (bar !== undefined && ratio > bar * (4 / 3)) isMissed = true;
    const limit = bar === undefined ? "" : `(bar ${bar})${isOver ? " missed" : ""}`;
    console.log(
      `OpenAI Agents ${stream ? "stream" : "run   "} ${name.padEnd(20)} ${Math.round(best[name] ?? 0)} µs  ${ratio.toFixed(2)}x ${limit}`,
    );
  }
}
process.exitCode = isMissed ? 1 : 0;
