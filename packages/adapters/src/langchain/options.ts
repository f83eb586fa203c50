import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AdapterOptions } from "../core/index.ts";

/** What `hooksMiddleware` may be given besides the hooks; every option has a default. */
export interface LangChainOptions extends AdapterOptions {
  /** The models that hooks may choose by name, on `before_llm` and in wrappers of the model call. Default: none. */
  readonly models?: Readonly<Record<string, BaseChatModel>> | undefined;
}
