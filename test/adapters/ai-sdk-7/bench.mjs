// One run with one tool call on the mock model, plain against hooked. Prints a table; fails if a bar is missed by more than a third.
import { withHooks } from "@tenterhook/adapters/ai-sdk";
import { createHooks } from "@tenterhook/engine";
import { ToolLoopAgent, tool } from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { z } from "zod";

const [ROUNDS, WARM_UPS, RUNS] = [6, 200, 60];
const BARS = { empty: 1.1, "twenty quiet hooks": 1.3 };

/** Answers with a tool call and with a text, in turn. */
function newModel() {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const call = { type: "tool-call", toolCallId: "1", toolName: "echo", input: '{"text":"a"}' };
  const reason = (unified) => ({ unified, raw: unified });
  const finish = (unified) => ({ type: "finish", finishReason: reason(unified), usage });
  const text = [
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "done" },
    { type: "text-end", id: "1" },
  ];
  let isSecond = true;
  return new MockLanguageModelV4({
    async doGenerate() {
      isSecond = !isSecond;
      const content = isSecond ? [{ type: "text", text: "done" }] : [call];
      return { content, finishReason: reason(isSecond ? "stop" : "tool-calls"), usage, warnings: [] };
    },
    async doStream() {
      isSecond = !isSecond;
      const chunks = isSecond ? [...text, finish("stop")] : [call, finish("tool-calls")];
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
    },
  });
}

/** Hooks that only look, five on each event of the model and of tools. */
function quietHooks() {
  const hooks = createHooks();
  for (const event of ["before_llm", "after_llm", "before_tool", "after_tool"])
    for (let count = 0; count < 5; count++) hooks.on(event, () => undefined);
  return hooks;
}

function newAgent(hooks) {
  const echo = tool({
    description: "Echoes.",
    inputSchema: z.object({ text: z.string() }),
    execute: async ({ text }) => text,
  });
  const settings = { model: newModel(), tools: { echo } };
  return new ToolLoopAgent(hooks === undefined ? settings : withHooks(settings, hooks));
}

const methods = {
  generate: (agent) => agent.generate({ prompt: "go" }),
  stream: async (agent) => {
    for await (const _part of (await agent.stream({ prompt: "go" })).fullStream);
  },
};

let isMissed = false;
for (const [method, start] of Object.entries(methods)) {
  const variants = {
    plain: newAgent(),
    empty: newAgent(createHooks()),
    "twenty quiet hooks": newAgent(quietHooks()),
  };
  const run = async (agent) => {
    const startedAt = performance.now();
    await start(agent);
    return (performance.now() - startedAt) * 1000;
  };
  const best = Object.fromEntries(Object.keys(variants).map((name) => [name, Number.POSITIVE_INFINITY]));
  for (const agent of Object.values(variants))
    for (let count = 0; count < WARM_UPS; count++) await run(agent);
  for (let count = 0; count < ROUNDS * RUNS; count++)
    for (const [name, agent] of Object.entries(variants)) best[name] = Math.min(best[name], await run(agent));
  for (const [name, time] of Object.entries(best)) {
    const ratio = time / best.plain;
    const bar = BARS[name];
    isMissed ||= bar !== undefined && ratio > bar * (4 / 3);
    const shown = bar === undefined ? "" : `${ratio.toFixed(2)}x (bar ${bar.toFixed(2)}x)`;
    console.log(
      `AI SDK 7  ${method.padEnd(8)} ${name.padEnd(20)} ${time.toFixed(0).padStart(6)} µs  ${shown}`,
    );
  }
}
process.exitCode = isMissed ? 1 : 0;
