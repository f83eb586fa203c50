import type { ScriptedAnswer } from "../../testing/parity/index.ts";
import type { CallParams, GenerateResult, Model, Part, StreamResult } from "../sdk-types.ts";
import { writeParts, writeStream } from "../stream.ts";

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
};

/** What the mock of the SDK's own tests is created with. */
export interface MockOptions {
  doGenerate(params: CallParams): Promise<GenerateResult>;
  doStream(params: CallParams): Promise<Awaited<ReturnType<Model["doStream"]>>>;
}

/** What the mock model does in one call: it answers, fails with a value, or writes the parts of an answer itself. */
export type MockAnswer =
  | ScriptedAnswer
  | { readonly throws: unknown }
  | { readonly content: readonly Part[]; readonly finishReason?: string }
  /** `wait` delays the end of the answer: a stream has written its text by then. */
  | { readonly text: string; readonly wait: (params: CallParams) => Promise<void> };

/** The functions of a mock model that answers from a script, and what it was sent. */
export function scriptMock(script: readonly MockAnswer[]): MockOptions & { readonly sent: CallParams[] } {
  const sent: CallParams[] = [];
  const take = (params: CallParams): MockAnswer => {
    const turn = script[sent.length];
    sent.push(params);
    if (turn === undefined) throw new Error("the script has no more answers");
    return turn;
  };
  return {
    sent,
    async doGenerate(params) {
      const turn = take(params);
      if ("wait" in turn) await turn.wait(params);
      return writeAnswer(turn);
    },
    async doStream(params) {
      const turn = take(params);
      return "wait" in turn ? writeSlowly(turn, params) : writeStream(writeAnswer(turn));
    },
  };
}

function writeAnswer(turn: MockAnswer): GenerateResult {
  if ("throws" in turn) throw turn.throws;
  if ("error" in turn) throw new Error(turn.error);
  if ("content" in turn) return createAnswer(turn.content, turn.finishReason ?? "stop");
  const { text = "", calls = [] } = turn as Exclude<ScriptedAnswer, { readonly error: string }>;
  const texts: Part[] = text === "" ? [] : [{ type: "text", text }];
  const toolCalls = calls.map(
    ({ id, name, input }): Part => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: JSON.stringify(input),
    }),
  );
  return createAnswer([...texts, ...toolCalls], calls.length > 0 ? "tool-calls" : "stop");
}

function createAnswer(content: readonly Part[], unified: string): GenerateResult {
  return { content, finishReason: { unified, raw: unified }, usage, warnings: [] };
}

/** Writes everything but the last part, and that one when it may. */
function writeSlowly(
  turn: Extract<MockAnswer, { readonly wait: unknown }>,
  params: CallParams,
): StreamResult {
  const parts = [...writeParts(writeAnswer({ text: turn.text }))];
  const last = parts.pop() as Part;
  return {
    stream: new ReadableStream<Part>({
      async start(controller) {
        for (const part of parts) controller.enqueue(part);
        try {
          await turn.wait(params);
          controller.enqueue(last);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
      },
    }),
  };
}
