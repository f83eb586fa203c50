export type { EventDeclaration, EventTopic } from "./declaration.ts";
export * from "./run-event.ts";
