import type { z } from "zod";
import type { EVENTS, EventName } from "./events.ts";
import type { Outcome, Proceed, QuietProceed } from "./outcomes.ts";
import type { errorInfo, message, payloadSchemas, toolDefinition, toolUse, usage } from "./payloads.ts";

/** A message of a conversation. */
export type Message = z.infer<typeof message>;
/** A tool as a model is told about it. */
export type ToolDefinition = z.infer<typeof toolDefinition>;
/** A tool call that a model asked for. */
export type ToolUse = z.infer<typeof toolUse>;
/** Tokens of a model call. */
export type Usage = z.infer<typeof usage>;
/** An error as hooks are given it. */
export type ErrorInfo = z.infer<typeof errorInfo>;

/** What an event carries. */
export type Payload<E extends EventName> = z.infer<(typeof payloadSchemas)[E]>;

/** A value that must not be changed in place, all the way down. */
export type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends (...args: never[]) => unknown
    ? T
    : T extends object
      ? { readonly [K in keyof T]: Immutable<T[K]> }
      : T;

/** The fields of an event that a hook may change. */
export type Changeable<E extends EventName> = Extract<keyof (typeof EVENTS)[E]["changes"], keyof Payload<E>>;

type EveryChangeable = { [E in EventName]: keyof (typeof EVENTS)[E]["changes"] }[EventName];

/** What a hook on this event may change; a field that only other events let change is a type error. */
export type Patch<E extends EventName> = E extends EventName
  ? { readonly [F in Changeable<E>]?: Immutable<Payload<E>[F]> } & {
      // A sentence, because the compiler prints it.
      readonly [F in Exclude<EveryChangeable, Changeable<E>>]?: `${F} cannot be changed here`;
    }
  : never;

type Proceeding<E extends EventName> = (typeof EVENTS)[E] extends { adds: string }
  ? Proceed<Patch<E>>
  : QuietProceed<Patch<E>>;

type OutcomeByType = { [O in Outcome as O["type"]]: O };

/** The outcomes that an event has. */
export type OutcomeOf<E extends EventName> = E extends EventName
  ? Proceeding<E> | OutcomeByType[Exclude<(typeof EVENTS)[E]["outcomes"][number], "proceed">]
  : never;

/** Values that all hooks of one run share. */
export type Metadata = Record<string, unknown>;
