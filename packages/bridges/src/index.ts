export { bridge } from "./call/bridge.ts";
export type { NativeAnswer } from "./call/encode/encode.ts";
export type { BridgeCall } from "./call/read/read-call.ts";
export type { DecisionRecord } from "./call/record/decision-log.ts";
export { runJob } from "./call/record/run-job.ts";
export { readUnmappedTools } from "./call/record/unmapped-tools.ts";
export { CLIENTS, loadClient, loadClients } from "./clients/index.ts";
export type { Client } from "./definition/client.ts";
