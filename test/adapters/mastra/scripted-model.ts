/** What the model answers in one call: a text, tool calls, or an error that it throws. */
export type Answer =
  | string
  | Error
  | {
      readonly text?: string;
      /** An input that is a text is the JSON itself. */
      readonly calls: readonly {
        readonly id?: string;
        readonly name: string;
        readonly input: object | string;
      }[];
      /** Delays the end of a stream, after its text. */
      readonly wait?: () => Promise<void>;
    };

/** A request, as far as tests read it. */
export interface Request {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly abortSignal?: AbortSignal;
}

/** A language model of the second specification that answers from a script, and records what it was sent. */
export function scriptModel(answers: readonly Answer[], onCall?: (request: Request) => void) {
  const requests: Request[] = [];
  const next = (request: Request) => {
    const answer = answers[requests.length];
    requests.push(request);
    onCall?.(request);
    if (answer === undefined) throw new Error("the script has no more answers");
    if (answer instanceof Error) throw answer;
    const { text = "", calls = [] } = typeof answer === "string" ? { text: answer } : answer;
    const number = requests.length;
    return {
      content: [
        ...(text === "" ? [] : [{ type: "text" as const, text }]),
        ...calls.map(({ id, name, input }, index) => ({
          type: "tool-call" as const,
          toolCallId: id ?? `${number}-${index + 1}`,
          toolName: name,
          input: typeof input === "string" ? input : JSON.stringify(input),
        })),
      ],
      finishReason: calls.length > 0 ? ("tool-calls" as const) : ("stop" as const),
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      warnings: [],
    };
  };
  return {
    requests,
    specificationVersion: "v2" as const,
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async (request: Request) => next(request),
    doStream: async (request: Request) => {
      const answer = answers[requests.length];
      const { content, finishReason, usage } = next(request);
      const parts = content.flatMap((part, index): readonly object[] =>
        part.type === "tool-call"
          ? [part]
          : [
              { type: "text-start", id: String(index) },
              { type: "text-delta", id: String(index), delta: part.text },
              { type: "text-end", id: String(index) },
            ],
      );
      const stream = new ReadableStream({
        async start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          for (const part of parts) controller.enqueue(part);
          // A stream of an aborted request fails.
          if (typeof answer === "object" && "wait" in answer) await answer.wait?.();
          controller.enqueue({ type: "finish", finishReason, usage });
          controller.close();
        },
      });
      return { stream };
    },
  };
}
