// One run with one tool call on the mock model, plain against hooks: `node bench.mjs`.
import { withHooks } from "@tenterhook/adapters/ai-sdk";
import { createHooks } from "@tenterhook/engine";
import { ToolLoopAgent, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { z } from "zod";
import { measureRuns, quietCalls, quietHooks } from "../bench.mjs";

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

function newSettings() {
  const echo = tool({
    description: "Echoes.",
    inputSchema: z.object({ text: z.string() }),
    execute: async ({ text }) => text,
  });
  return { model: newModel(), tools: { echo } };
}

/** What a program would write that has twenty functions and no engine: the model and the tool, wrapped. */
function wrapByHand({ model, tools: { echo } }) {
  const call = quietCalls();
  const middleware = {
    specificationVersion: "v4",
    async wrapGenerate({ doGenerate, params }) {
      call("before_llm", { messages: structuredClone(params.prompt) });
      const result = await doGenerate();
      call("after_llm", { result });
      return result;
    },
  };
  const execute = async (input, options) => {
    call("before_tool", { toolInput: structuredClone(input) });
    const toolResult = await echo.execute(input, options);
    call("after_tool", { toolInput: input, toolResult });
    return toolResult;
  };
  return { model: wrapLanguageModel({ model, middleware }), tools: { echo: { ...echo, execute } } };
}

const methods = {
  generate: (agent) => agent.generate({ prompt: "go" }),
  stream: async (agent) => {
    for await (const _part of (await agent.stream({ prompt: "go" })).fullStream);
  },
};

for (const [method, start] of Object.entries(methods)) {
  const newRun = (settings) => {
    const agent = new ToolLoopAgent(settings);
    return () => start(agent);
  };
  const variants = {
    plain: newRun(newSettings()),
    ...(method === "generate" && { "twenty functions by hand": newRun(wrapByHand(newSettings())) }),
    "empty set": newRun(withHooks(newSettings(), createHooks())),
    "twenty quiet hooks": newRun(withHooks(newSettings(), quietHooks(createHooks))),
  };
  await measureRuns(`AI SDK 7 ${method}`, variants, { bars: { "twenty quiet hooks": 1.4 } });
}
