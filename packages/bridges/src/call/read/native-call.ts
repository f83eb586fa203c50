import { isJsonLimit, isRecord, parseJson } from "@tenterhook/internal";
import type { Client } from "../../definition/client.ts";
import type { Condition, Fields, NativeEvent, Path } from "../../definition/events.ts";

/** A client's payload, before it is translated into our events. */
export interface NativePayload {
  readonly client: Client;
  /** The client's name of the event. */
  readonly eventName: string;
  readonly event: NativeEvent;
  readonly fields: Fields;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The values of the client's fields in the payload. */
  readonly values: Readonly<Record<keyof Fields, unknown>>;
  /** The payload as it came. */
  readonly text: string;
  readonly sessionId: string;
  readonly cwd: string;
}

/** The limit of Linux. Every folder above the working folder is searched, so a longer path would use up the time of the call. */
const LONGEST_FOLDER = 4_096;

/** Thrown when standard input has no payload of this client. */
export class BadPayload extends Error {}

/** Thrown for a call that cannot be read: its content is not known, so it must not pass as harmless. */
export class UnreadableCall extends Error {}

/** Reads a client's payload. Throws `BadPayload`, and `UnreadableCall` for JSON beyond the limits. */
export function readPayload(client: Client, eventName: string, text: string, cwd: string): NativePayload {
  const payload = parsed(text);
  const { name, event } = findEvent(client, eventName, payload);
  const read = readFields(client, event, payload);
  return {
    client,
    eventName: name,
    event,
    ...read,
    text,
    sessionId: idAt(payload, read.fields.sessionId),
    cwd: textAt(payload, read.fields.cwd) || cwd,
  };
}

/** Whether a working folder's path is too long to be searched. */
export function isTooLong(cwd: string): boolean {
  return cwd.length > LONGEST_FOLDER;
}

/** Whether a payload does not mean what its event's name says. */
export function isIgnored({ event, payload }: NativePayload): boolean {
  return event.ignoredWhen !== undefined && areMet(event.ignoredWhen, payload);
}

/** Where an event's payload has the client's fields, and their values. */
export function readFields(
  client: Client,
  event: NativeEvent,
  payload: NativePayload["payload"],
): Pick<NativePayload, "fields" | "payload" | "values"> {
  const fields = { ...client.fields, ...event.fields };
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, path]) => [name, valueAt(payload, path)]),
  ) as NativePayload["values"];
  return { fields, payload, values };
}

/** The event of a name, by its alias too; `undefined` for one that is not known. */
export function nativeEvent(
  { events, eventAliases = {} }: Client,
  name: string,
): { readonly name: string; readonly event: NativeEvent } | undefined {
  const known = Object.hasOwn(eventAliases, name) ? (eventAliases[name] ?? name) : name;
  const event = Object.hasOwn(events, known) ? events[known] : undefined;
  return event && { name: known, event };
}

function findEvent(client: Client, eventName: string, payload: Readonly<Record<string, unknown>>) {
  const found = nativeEvent(client, eventName);
  if (found === undefined) throw new BadPayload(`${client.name} has no event "${eventName}"`);
  // A payload that names another event of this client was sent to the wrong entry; its own name counts.
  const own = payload.hook_event_name ?? payload.hookName ?? payload.hookEventName;
  return (typeof own === "string" && nativeEvent(client, own)) || found;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseJson(text, "the client's payload");
  } catch (error) {
    if (isJsonLimit(error)) throw new UnreadableCall(error.message);
    throw new BadPayload("the client's payload is no JSON");
  }
  if (!isRecord(value)) throw new BadPayload("the client's payload is no JSON object");
  return value;
}

/** The value at a path of a payload; of several paths, at the first that has one. */
export function valueAt(payload: unknown, path: Path): unknown {
  if (typeof path === "string") return follow(payload, path);
  for (const each of path) {
    const value = follow(payload, each);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The value at a path, if it is text. */
export function textAt(payload: unknown, path: Path): string | undefined {
  const value = valueAt(payload, path);
  return typeof value === "string" ? value : undefined;
}

/** The id at a path; a number counts too. Empty when there is none. */
export function idAt(payload: unknown, path: Path): string {
  const value = valueAt(payload, path);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Whether a payload meets all conditions. */
export function areMet(conditions: readonly Condition[], payload: unknown): boolean {
  return conditions.every(({ path, is }) => {
    const value = follow(payload, path);
    const isPresent = value !== undefined && value !== null;
    switch (is) {
      case "absent":
        return !isPresent;
      case "present":
        return isPresent;
      case "empty":
        return !isPresent || value === "" || (Array.isArray(value) && value.length === 0);
      default:
        return value === is.equals;
    }
  });
}

function follow(payload: unknown, path: string): unknown {
  let value = payload;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

/** The text of a prompt or a message, or of all its content parts. */
export function contentText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part: unknown) =>
    typeof part === "string" ? part : (part as { text?: unknown } | null)?.text,
  );
  return texts.filter((text): text is string => typeof text === "string").join("\n");
}

/** An error as data: clients give a text, an object with a message, or something else. */
export function readError(error: unknown): {
  readonly name: string;
  readonly message: string;
  code?: string;
} {
  if (typeof error === "string") return { name: "Error", message: error };
  if (typeof error === "object" && error !== null) {
    const { name, message, code } = error as { name?: unknown; message?: unknown; code?: unknown };
    return {
      name: typeof name === "string" ? name : "Error",
      message: typeof message === "string" ? message : JSON.stringify(error),
      ...(typeof code === "string" && { code }),
    };
  }
  return { name: "Error", message: "the client did not say what went wrong" };
}
