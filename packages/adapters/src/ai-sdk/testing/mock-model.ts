import type { ScriptedAnswer } from "../../testing/parity/index.ts";
import type { CallParams, GenerateResult, Model, Part } from "../sdk-types.ts";
import { writeStream } from "../stream-parts.ts";

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
};

/** What the mock of the SDK's own tests is created with. */
export interface MockOptions {
  doGenerate(params: CallParams): Promise<GenerateResult>;
  doStream(params: CallParams): Promise<Awaited<ReturnType<Model["doStream"]>>>;
}

/** The functions of a mock model that answers from a script, and what it was sent. */
export function scriptMock(script: readonly ScriptedAnswer[]): MockOptions & { readonly sent: CallParams[] } {
  const sent: CallParams[] = [];
  const answer = (params: CallParams): GenerateResult => {
    const turn = script[sent.length];
    sent.push(params);
    if (turn === undefined) throw new Error("the script has no more answers");
    if ("error" in turn) throw new Error(turn.error);
    const { text = "", calls = [] } = turn;
    const texts: Part[] = text === "" ? [] : [{ type: "text", text }];
    const toolCalls = calls.map(
      ({ id, name, input }): Part => ({
        type: "tool-call",
        toolCallId: id,
        toolName: name,
        input: JSON.stringify(input),
      }),
    );
    const unified = calls.length > 0 ? "tool-calls" : "stop";
    return {
      content: [...texts, ...toolCalls],
      finishReason: { unified, raw: unified },
      usage,
      warnings: [],
    };
  };
  return {
    sent,
    doGenerate: async (params) => answer(params),
    doStream: async (params) => writeStream(answer(params)),
  };
}
