import type { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { CallbackManager } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";

/** The listeners that stream what the model of one step writes: `streamMode: "messages"` and `streamEvents`. */
export class AnswerStream {
  readonly #manager: CallbackManager | undefined;
  readonly #listeners: readonly BaseCallbackHandler[];

  constructor() {
    const callbacks: unknown = AsyncLocalStorageProviderSingleton.getRunnableConfig()?.callbacks;
    this.#manager = isManager(callbacks) ? callbacks : undefined;
    this.#listeners = this.#manager?.handlers.filter(isStreaming) ?? [];
  }

  /** Calls the model without these listeners, because hooks may still change its text. */
  async delay<R>(call: () => R | Promise<R>): Promise<R> {
    // The manager belongs to this one task of the graph: nothing else loses its listeners.
    for (const listener of this.#listeners) this.#manager?.removeHandler(listener);
    try {
      return await call();
    } finally {
      for (const listener of this.#listeners) this.#manager?.addHandler(listener, true);
    }
  }

  /** Gives them an answer that they have not seen, as from a model that does not stream. */
  async show(message: AIMessage): Promise<void> {
    if (this.#listeners.length === 0) return;
    await new FinalAnswer(message).invoke([], { callbacks: [...this.#listeners] });
  }
}

function isManager(callbacks: unknown): callbacks is CallbackManager {
  return typeof callbacks === "object" && callbacks !== null && "removeHandler" in callbacks;
}

/** The marks by which LangChain itself decides whether a model streams. */
function isStreaming(handler: BaseCallbackHandler): boolean {
  const { lc_prefer_streaming, lc_prefer_chat_model_stream_events } = handler as {
    lc_prefer_streaming?: boolean;
    lc_prefer_chat_model_stream_events?: boolean;
  };
  return lc_prefer_streaming === true || lc_prefer_chat_model_stream_events === true;
}

/** A model that gives an answer that exists already, through LangChain's own callbacks. */
class FinalAnswer extends BaseChatModel {
  readonly #message: AIMessage;

  constructor(message: AIMessage) {
    super({});
    this.#message = message;
  }

  override _llmType(): string {
    return "tenterhook_final_answer";
  }

  override _generate(): Promise<ChatResult> {
    return Promise.resolve({ generations: [{ text: this.#message.text, message: this.#message }] });
  }
}
