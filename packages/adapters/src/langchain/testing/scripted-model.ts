import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";

/** A tool call that the model asks for. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/** One answer: a text, tool calls, or an error to throw. */
export type ScriptedAnswer =
  | string
  | Error
  | AIMessage
  | { readonly text?: string; readonly calls: readonly ScriptedCall[]; readonly wait?: () => Promise<void> };

/** A chat model that gives the answers of a script, word by word when it is streamed, and records what it was asked. */
export class ScriptedModel extends BaseChatModel {
  readonly #script: ScriptedAnswer[];
  /** The messages of each call. */
  readonly inputs: BaseMessage[][] = [];
  /** The tools of each call. */
  readonly offered: unknown[][] = [];

  constructor(script: readonly ScriptedAnswer[]) {
    super({});
    this.#script = [...script];
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: unknown[], settings?: object) {
    return this.withConfig({ tools, ...settings } as never);
  }

  override _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const message = this.#next(messages, options);
    return Promise.resolve({ generations: [{ text: message.text, message }] });
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    manager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const next = this.#script[0];
    const message = this.#next(messages, options);
    const words = message.text.split(/(?<= )/).map((text) => new AIMessageChunk({ content: text }));
    const calls = (message.tool_calls ?? []).map(
      ({ id, name, args }, index) =>
        new AIMessageChunk({
          content: "",
          tool_call_chunks: [
            { type: "tool_call_chunk", id: id ?? "", name, args: JSON.stringify(args), index },
          ],
        }),
    );
    for (const chunk of [...words, ...calls]) {
      const generation = new ChatGenerationChunk({ text: chunk.text, message: chunk });
      yield generation;
      await manager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, {
        chunk: generation,
      });
    }
    if (typeof next === "object" && "wait" in next) await next.wait?.();
  }

  #next(messages: BaseMessage[], options: object): AIMessage {
    this.inputs.push([...messages]);
    this.offered.push([...((options as { tools?: unknown[] }).tools ?? [])]);
    const answer = this.#script.shift();
    if (answer === undefined) throw new Error("the script has no further answer");
    if (answer instanceof Error) throw answer;
    if (typeof answer === "string") return new AIMessage(answer);
    if (AIMessage.isInstance(answer)) return answer as AIMessage;
    const { text = "", calls } = answer as { text?: string; calls: readonly ScriptedCall[] };
    return new AIMessage({
      content: text,
      tool_calls: calls.map(({ id, name, input }) => ({ type: "tool_call", id, name, args: input })),
    });
  }
}
