export { bridge } from "./call/bridge.ts";
export type { NativeAnswer } from "./call/encode/lower.ts";
export type { BridgeCall } from "./call/read/open-call.ts";
export type { DecisionEntry, DecisionRecord } from "./call/record/decision-log.ts";
export { runJob } from "./call/record/run-job.ts";
export { readUnmappedTools, type UnmappedTool } from "./call/record/unmapped-tools.ts";
export { CLIENTS, loadClient, loadClients } from "./clients/index.ts";
export type {
  AfterPower,
  AnswerForm,
  AskPower,
  Evidence,
  Power,
  Powers,
  RewritePower,
  Template,
} from "./definition/answers.ts";
export type { CapabilityId, Client, ClientEnvironment } from "./definition/client.ts";
export type {
  Configuration,
  ConfigurationFile,
  ConfigurationScope,
  Consent,
  EntryForm,
} from "./definition/configuration.ts";
export type { Condition, Fields, NativeEvent, Path, Timeout } from "./definition/events.ts";
export type { CanonicalTool, McpNames, PartialCall, ToolRow, Tools, Wrapper } from "./definition/tools.ts";
