// One run with one tool call on a scripted model, plain against hooked. Prints a table; fails if a bar is missed by more than a third.
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { withHooks } from "@tenterhook/adapters/mastra";
import { createHooks } from "@tenterhook/engine";
import { z } from "zod";

const ROUNDS = 6;
const WARM_UPS = 60;
const RUNS = 30;
const BARS = { empty: 1.1, "twenty quiet hooks": 1.5 };

/** Answers with a tool call and with a text, in turn. */
function newModel() {
  let isSecond = true;
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  return {
    specificationVersion: "v2",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    async doGenerate() {
      isSecond = !isSecond;
      if (isSecond)
        return { content: [{ type: "text", text: "done" }], finishReason: "stop", usage, warnings: [] };
      const call = { type: "tool-call", toolCallId: "1", toolName: "echo", input: '{"text":"a"}' };
      return { content: [call], finishReason: "tool-calls", usage, warnings: [] };
    },
  };
}

/** Hooks that only look, five on each event of the model and of tools. */
function quietHooks() {
  const hooks = createHooks();
  for (const event of ["before_llm", "after_llm", "before_tool", "after_tool"])
    for (let count = 0; count < 5; count++) hooks.on(event, () => undefined);
  return hooks;
}

function newAgent(hooks) {
  const echo = createTool({
    id: "echo",
    description: "Echoes.",
    inputSchema: z.object({ text: z.string() }),
    execute: async ({ text }) => text,
  });
  const config = { id: "bench", name: "bench", instructions: "Echo.", model: newModel(), tools: { echo } };
  return new Agent(hooks === undefined ? config : withHooks(config, hooks));
}

const variants = {
  plain: newAgent(),
  empty: newAgent(createHooks()),
  "twenty quiet hooks": newAgent(quietHooks()),
};

async function run(agent) {
  const startedAt = performance.now();
  await agent.generate("go");
  return (performance.now() - startedAt) * 1000;
}

const best = Object.fromEntries(Object.keys(variants).map((name) => [name, Number.POSITIVE_INFINITY]));
for (const agent of Object.values(variants)) for (let count = 0; count < WARM_UPS; count++) await run(agent);
for (let round = 0; round < ROUNDS; round++) {
  for (let count = 0; count < RUNS; count++)
    for (const [name, agent] of Object.entries(variants)) best[name] = Math.min(best[name], await run(agent));
}

let isMissed = false;
for (const [name, time] of Object.entries(best)) {
  const ratio = time / best.plain;
  const bar = BARS[name];
  isMissed ||= bar !== undefined && ratio > bar * (4 / 3);
  const shown = bar === undefined ? "" : `${ratio.toFixed(2)}x (bar ${bar.toFixed(2)}x)`;
  console.log(`mastra  ${name.padEnd(20)} ${time.toFixed(0).padStart(6)} µs  ${shown}`);
}
process.exitCode = isMissed ? 1 : 0;
