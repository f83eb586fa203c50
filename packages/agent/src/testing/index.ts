// For tests of agents: models and servers that answer from a script. Running agents do not load this.
export {
  type OpenAiRequest,
  type OpenAiServer,
  openAiServer,
} from "./openai-server.ts";
export { parseScript } from "./parse-script.ts";
export { type RecordedEvent, RecordedEvents, recordEvents } from "./recorded-events.ts";
export type {
  Script,
  ScriptedAnswer,
  ScriptedFailure,
  ScriptedToolCall,
  ScriptedTurn,
} from "./script.ts";
export { type ScriptedModel, type ScriptedModelOptions, scriptedModel } from "./scripted-model.ts";
