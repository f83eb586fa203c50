// One run with one tool call on a scripted model, plain against hooks: `node bench.mjs`.
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { withHooks } from "@tenterhook/adapters/mastra";
import { createHooks } from "@tenterhook/engine";
import { z } from "zod";
import { measureRuns, quietHooks } from "../bench.mjs";

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

function newRun(hooks) {
  const echo = createTool({
    id: "echo",
    description: "Echoes.",
    inputSchema: z.object({ text: z.string() }),
    execute: async ({ text }) => text,
  });
  const config = { id: "bench", name: "bench", instructions: "Echo.", model: newModel(), tools: { echo } };
  const agent = new Agent(hooks === undefined ? config : withHooks(config, hooks));
  return () => agent.generate("go");
}

await measureRuns(
  "Mastra",
  {
    plain: newRun(),
    "empty set": newRun(createHooks()),
    "twenty quiet hooks": newRun(quietHooks(createHooks)),
  },
  { warmUps: 60, rounds: 30, runs: 6, bars: { "twenty quiet hooks": 1.5 } },
);
