import { z } from "zod";
import { COORDINATOR_EVENTS } from "./coordinator-events.ts";
import type { EventDeclaration } from "./declaration.ts";
import { isRunEventType, RUN_EVENT_TYPES, type RunEventType } from "./event-types.ts";
import { RUNNER_EVENTS } from "./runner-events.ts";

/** Every type of event that a run can have. The stream, the reference page and `/openapi.json` follow this table. */
export const RUN_EVENTS = { ...COORDINATOR_EVENTS, ...RUNNER_EVENTS };

type Fields<T extends RunEventType> = z.infer<z.ZodObject<(typeof RUN_EVENTS)[T]["fields"]>>;

/** What an event of a type has beside the fields of every event. */
export type RunEventData<T extends RunEventType = RunEventType> = { [E in T]: Fields<E> }[T];

/** An event with its data, before it is stored. */
export type NewRunEvent<T extends RunEventType = RunEventType> = {
  [E in T]: { readonly type: E; readonly data: Fields<E> };
}[T];

const common = {
  id: z.string().describe("its cursor in the stream, for `Last-Event-ID`"),
  session_id: z.string().nullable(),
  run_id: z.string().nullable(),
  number: z.int().nullable().describe("counts the events of its run from 1, without gaps"),
  timestamp: z.iso.datetime().describe("UTC"),
};

type Common = z.infer<z.ZodObject<typeof common>>;

/** An event of a type that this version knows, flat: the fields of its type stand beside those of every event. */
export type KnownRunEvent<T extends RunEventType = RunEventType> = {
  [E in T]: Common & { readonly event_type: E } & Fields<E>;
}[T];

/** An event as it is read: of a known type, or of one that only a newer runner knows. */
export type RunEvent = Common & { readonly event_type: string; [field: string]: unknown };

const known = Object.entries(RUN_EVENTS).map(([type, { when, fields }]) =>
  z.looseObject({ ...common, event_type: z.literal(type), ...(fields as z.ZodRawShape) }).describe(when),
);

const unknownRunEvent = z
  .looseObject({
    ...common,
    // Twice: JSON Schema has no word for a function, and zod checks none of what is added to a schema.
    event_type: z
      .string()
      .refine((type) => !isRunEventType(type), "the event lacks fields of its type, or has wrong ones")
      .meta({ not: { enum: RUN_EVENT_TYPES } }),
  })
  .describe("An event of a type that only a newer runner knows.");

export const runEvent: z.ZodType<RunEvent> = z
  .union([...known, unknownRunEvent])
  .describe("One event of a run, flat: the fields of its type stand beside those of every event.");

const dataSchemas: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries<EventDeclaration>(RUN_EVENTS).map(([type, { fields }]) => [type, z.looseObject(fields)]),
);

/** What is wrong with the data of an event, if this version knows its type. */
export function eventDataIssues(type: string, data: unknown): readonly z.core.$ZodIssue[] {
  return dataSchemas.get(type)?.safeParse(data).error?.issues ?? [];
}
