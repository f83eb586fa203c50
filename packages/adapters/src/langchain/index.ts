export { HooksCallbackHandler } from "./callback-handler.ts";
export { hooksMiddleware } from "./middleware.ts";
export type { LangChainOptions } from "./model-call.ts";
export { type LangChainAgent, withRunEnd } from "./run-end.ts";
