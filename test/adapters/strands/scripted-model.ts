import {
  type BaseModelConfig,
  type Message,
  Model,
  type ModelStreamEvent,
  type StreamOptions,
} from "@strands-agents/sdk";

/** One answer of the model: a text, calls of tools, or an error. */
export interface Answer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: object; readonly id?: string }[];
  readonly error?: Error;
  /** Delays the end of the answer, after its text. */
  readonly wait?: () => Promise<void>;
}

/** What the model was asked. */
export interface Request {
  readonly messages: readonly Message[];
  readonly system: string;
  readonly tools: readonly string[];
}

/** A model that answers from a list, in the stream's small pieces, and records what it was asked. */
export class ScriptedModel extends Model<BaseModelConfig> {
  readonly requests: Request[] = [];
  readonly #answers: readonly (string | Answer)[];
  #calls = 0;

  constructor(answers: readonly (string | Answer)[]) {
    super();
    this.#answers = answers;
  }

  updateConfig(): void {}

  getConfig(): BaseModelConfig {
    return { modelId: "scripted" };
  }

  async *stream(messages: Message[], options?: StreamOptions): AsyncIterable<ModelStreamEvent> {
    const system = options?.systemPrompt;
    this.requests.push({
      messages: messages.map((message) => message.clone()),
      system: typeof system === "string" ? system : "",
      tools: options?.toolSpecs?.map(({ name }) => name) ?? [],
    });
    const scripted = this.#answers[this.requests.length - 1];
    if (scripted === undefined) throw new Error(`the script has ${this.#answers.length} answers`);
    const {
      text,
      calls = [],
      error,
      wait,
    }: Answer = typeof scripted === "string" ? { text: scripted } : scripted;
    if (error !== undefined) throw error;
    yield { type: "modelMessageStartEvent", role: "assistant" };
    if (text !== undefined) {
      yield { type: "modelContentBlockStartEvent" };
      for (const piece of text.match(/\S+\s*/g) ?? [])
        yield { type: "modelContentBlockDeltaEvent", delta: { type: "textDelta", text: piece } };
      await wait?.();
      yield { type: "modelContentBlockStopEvent" };
    }
    for (const { name, input, id } of calls) {
      const toolUseId = id ?? `call-${++this.#calls}`;
      yield { type: "modelContentBlockStartEvent", start: { type: "toolUseStart", name, toolUseId } };
      yield {
        type: "modelContentBlockDeltaEvent",
        delta: { type: "toolUseInputDelta", input: JSON.stringify(input) },
      };
      yield { type: "modelContentBlockStopEvent" };
    }
    yield { type: "modelMessageStopEvent", stopReason: calls.length > 0 ? "toolUse" : "endTurn" };
    yield {
      type: "modelMetadataEvent",
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
    };
  }
}
