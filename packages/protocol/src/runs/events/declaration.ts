import type { z } from "zod";

/** What an event is about; lists and filters group events by it. */
export type EventTopic = "runs" | "hooks" | "approvals" | "steps" | "output";

/** A type of event that a run can have. */
export interface EventDeclaration<Fields extends z.ZodRawShape = z.ZodRawShape> {
  readonly topic: EventTopic;
  /** When it is recorded, as a sentence. */
  readonly when: string;
  /** What it has beside the fields of every event. Newer versions may add fields. */
  readonly fields: Fields;
}

export function declareEvents<const T extends Readonly<Record<string, EventDeclaration>>>(events: T): T {
  return events;
}
