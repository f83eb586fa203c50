import type { z } from "zod";

/** What an event of a type contains. */
export interface EventDeclaration<Fields extends z.ZodRawShape = z.ZodRawShape> {
  /** When it is recorded, as a sentence. */
  readonly when: string;
  /** What it has beside the fields of every event. Newer versions may add fields. */
  readonly fields: Fields;
}

/** Declares the events of these types, each with its own fields. */
export function declareEvents<Type extends string>() {
  return <const T extends Readonly<Record<Type, EventDeclaration>>>(events: T): T => events;
}
