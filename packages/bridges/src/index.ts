export { runJob } from "./background/run-job.ts";
export { bridge } from "./bridge.ts";
export { CLIENTS, loadClient, loadClients } from "./clients/index.ts";
export type { DecisionEntry, DecisionRecord } from "./log/decision-log.ts";
export { readUnmappedTools, type UnmappedTool } from "./log/unmapped-tools.ts";
export type { NativeAnswer } from "./lower/lower.ts";
export type { BridgeCall } from "./open-call.ts";
export type {
  AfterPower,
  AnswerForm,
  AskPower,
  Evidence,
  Power,
  Powers,
  RewritePower,
  Template,
} from "./shape/answers.ts";
export type { CapabilityId, Client, ClientEnvironment } from "./shape/client.ts";
export type {
  Configuration,
  ConfigurationFile,
  ConfigurationScope,
  Consent,
  EntryForm,
} from "./shape/configuration.ts";
export type { Condition, Fields, NativeEvent, Path, Timeout } from "./shape/events.ts";
export type { CanonicalTool, McpNames, PartialCall, ToolRow, Tools, Wrapper } from "./shape/tools.ts";
