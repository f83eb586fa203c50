export type { EventDeclaration } from "./declaration.ts";
export {
  type EventTopic,
  isRunEventType,
  RUN_EVENT_TYPES,
  type RunEventType,
  type RunnerEventType,
  topicOf,
} from "./event-types.ts";
export * from "./known-event.ts";
export * from "./run-event.ts";
