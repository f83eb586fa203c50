// For tests of agents: models and servers that answer from a script. Running agents do not load this.

export { parseScript } from "../model/scripted/parse-script.ts";
export type {
  Script,
  ScriptedAnswer,
  ScriptedFailure,
  ScriptedToolCall,
  ScriptedTurn,
} from "../model/scripted/script.ts";
export {
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedModel,
} from "../model/scripted/scripted-model.ts";
export {
  type OpenAiRequest,
  type OpenAiServer,
  openAiServer,
} from "./openai-server.ts";
export { type RecordedEvent, RecordedEvents, recordEvents } from "./recorded-events.ts";
