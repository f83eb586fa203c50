import { withHooks } from "@tenterhook/adapters/ai-sdk";
import { createHooks, type Hooks } from "@tenterhook/engine";
import { jsonSchema, ToolLoopAgent, tool } from "ai";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { measure, type Row } from "../measure.ts";
import { MODEL_AND_TOOL_EVENTS, quietHooks } from "./quiet-hooks.ts";

/** What hooks add to a run with one tool call of the AI SDK. */
export async function aiSdkRun(): Promise<Row[]> {
  return [...(await measureRuns("generate", 4, 4_000)), ...(await measureRuns("stream", 2, 1_000))];
}

async function measureRuns(method: "generate" | "stream", times: number, warmUp: number): Promise<Row[]> {
  const contenders = {
    plain: runs(method),
    empty: runs(method, createHooks()),
    quiet: runs(method, quietHooks(MODEL_AND_TOOL_EVENTS)),
  };
  // As a server is after its first minute: the functions of hooks are compiled later than those of the SDK, which all contenders call.
  for (const contender of Object.values(contenders)) await contender(warmUp);
  const { plain: theirs, empty, quiet } = await measure(contenders, { rounds: 150, times });
  const against = "the same run without hooks";
  const what = `AI SDK, ${method}: a run with a tool call and`;
  return [
    { what: `${what} an empty set of hooks`, against, ours: empty, theirs, bar: { most: 1.1 } },
    {
      what: `${what} 20 no-op hooks on model and tool events`,
      against,
      ours: quiet,
      theirs,
      bar: { most: 1.4 },
    },
  ];
}

function runs(method: "generate" | "stream", hooks?: Hooks): (times: number) => Promise<void> {
  const echo = tool({
    description: "Echoes.",
    inputSchema: jsonSchema<{ text: string }>({ type: "object", properties: { text: { type: "string" } } }),
    execute: async ({ text }) => text,
  });
  const settings = { model: newModel(), tools: { echo } };
  const agent = new ToolLoopAgent(hooks === undefined ? settings : withHooks(settings, hooks));
  return async (times) => {
    for (let n = 0; n < times; n++) {
      if (method === "generate") await agent.generate({ prompt: "Hello" });
      else for await (const _part of (await agent.stream({ prompt: "Hello" })).fullStream);
    }
  };
}

/** Calls the tool and answers, in turn. */
function newModel(): MockLanguageModelV3 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  const call = { type: "tool-call", toolCallId: "1", toolName: "echo", input: '{"text":"hi"}' } as const;
  const [calls, stop] = (["tool-calls", "stop"] as const).map((unified) => ({ unified, raw: unified }));
  const finish = (finishReason: typeof calls) => ({ type: "finish", finishReason, usage }) as never;
  let isSecond = true;
  return new MockLanguageModelV3({
    async doGenerate() {
      isSecond = !isSecond;
      const content = isSecond ? [{ type: "text" as const, text: "Done." }] : [call];
      return { content, finishReason: (isSecond ? stop : calls) as never, usage, warnings: [] };
    },
    async doStream() {
      isSecond = !isSecond;
      // Two lists of different parts, of which TypeScript takes the first for the type of both.
      const chunks: never[] = isSecond
        ? [
            { type: "text-start", id: "1" } as never,
            { type: "text-delta", id: "1", delta: "Done." } as never,
            { type: "text-end", id: "1" } as never,
            finish(stop),
          ]
        : [call as never, finish(calls)];
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
    },
  });
}
