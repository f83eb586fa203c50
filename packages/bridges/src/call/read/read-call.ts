import { lstatSync } from "node:fs";
import { findLocations, type Locations } from "@tenterhook/file-hooks";
import { isJsonLimit, isRecord, parseJson, withoutBom } from "@tenterhook/internal";
import { loadReaders } from "../../clients/index.ts";
import type { Client } from "../../definition/client.ts";
import type { Condition, Fields, NativeEvent, Path } from "../../definition/events.ts";
import { BridgeSession } from "../../session/bridge-session.ts";

/** A client's call of the bridge. */
export interface BridgeCall {
  readonly client: string;
  /** The client's name of the event. */
  readonly event: string;
  /** The payload, or a function that reads it within the given time and otherwise rejects with the reason. */
  readonly stdin: string | ((leftMs: number) => Promise<string>);
  readonly cwd: string;
  /** The client's variables, which hooks inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long the client waits, in milliseconds. Default: what it waits when its configuration does not say. */
  readonly timeoutMs?: number;
  /** When the client began to wait, by `performance.now()`: 0 is the start of the process. Default: now. */
  readonly waitingSince?: number;
  /** Which of several entries in the client's configuration calls. */
  readonly entry?: string;
  /** Starts the process that runs hooks which outlive the bridge; given the path of their job. Default: they are not run. */
  readonly startJob?: (path: string) => void | Promise<void>;
}

/** Where a call happens: which folders' hooks count, and what is known of the session. */
interface CallLocation {
  /** The current folder first, then those that the session began in. */
  readonly locations: readonly Locations[];
  readonly folders: readonly string[];
  readonly state: string;
  /** The project of the current folder, else of the one that the session began in. */
  readonly project: string | undefined;
  readonly session: BridgeSession;
  /** The folders that the session began in can be neither read nor stored, and the client does not name its project. */
  readonly isStartUnknown: boolean;
}

/** A call that could be read, and where it happens. */
export interface OpenCall {
  readonly call: BridgeCall;
  readonly native: NativePayload;
  readonly location: CallLocation;
  /** The time from the client's call within which it must be answered. */
  readonly deadlineMs: number;
}

/** A call, and what of it was read so far: the answer to a failure needs that. */
export interface ReceivedCall {
  /** The client that the command line names. */
  readonly named: Client;
  call: BridgeCall;
  /** What the client sent, if it was received. */
  text: string | undefined;
  /** The payload, if it could be read: then only its content could not be. */
  native: NativePayload | undefined;
}

/** Reads a call; `undefined` for one that does not mean what its event says. Throws `BadPayload` and `UnreadableCall`. */
export async function readCall(received: ReceivedCall): Promise<OpenCall | undefined> {
  received.text = await readText(received.named, received.call);
  const native = await readNative(received.named, received.call, received.text);
  received.native = native;
  if (isTooLong(native.cwd)) throw new UnreadableCall("its working folder has too long a path");
  if (isIgnored(native) || native.event.events.length === 0) return undefined;
  if (isProbeSession(native.sessionId)) {
    received.call = inProbeFolders(received.call, native.sessionId);
  }
  const { call } = received;
  const deadlineMs = findDeadline(native.client, native.event, call.timeoutMs);
  return { call, native, location: locateCall(call, native), deadlineMs };
}

async function readText(
  client: Client,
  { event, stdin, timeoutMs, waitingSince }: BridgeCall,
): Promise<string> {
  if (typeof stdin === "string") return stdin;
  const deadlineMs = findDeadline(client, nativeEvent(client, event)?.event, timeoutMs);
  const now = performance.now();
  return stdin(Math.max(0, deadlineMs - (now - (waitingSince ?? now))));
}

async function readNative(named: Client, call: BridgeCall, text: string): Promise<NativePayload> {
  const native = readPayload(named, call.event, text, call.cwd);
  const { session } = named.environment;
  // The environment has the session of the payload: the named client calls.
  if (session === undefined || call.env[session] === native.sessionId) return native;
  const client = realCaller(named, await loadReaders(named.id), call.env);
  return client === named ? native : readPayload(client, call.event, text, call.cwd);
}

/** Who calls, at which event, and from where. */
export interface Caller {
  readonly client: Client;
  readonly found: { readonly name: string; readonly event: NativeEvent } | undefined;
  readonly sessionId: string;
  readonly cwd: string;
}

/** The payload says it. If it could not be read, the environment may name the client that really calls, and the session. */
export async function findCaller({ call, named, text = "", native }: ReceivedCall): Promise<Caller> {
  if (native !== undefined) {
    const { client, eventName: name, event, sessionId, cwd } = native;
    return { client, found: { name, event }, sessionId, cwd: isTooLong(cwd) ? call.cwd : cwd };
  }
  const { session } = named.environment;
  const inEnvironment = (session === undefined ? undefined : call.env[session]) ?? "";
  const client = inEnvironment === "" ? realCaller(named, await loadReaders(named.id), call.env) : named;
  const found = nativeEvent(client, call.event);
  const fields = { ...client.fields, ...found?.event.fields };
  const payload = anyJson(text);
  const cwd = textAt(payload, fields.cwd) || call.cwd;
  return {
    client,
    found,
    sessionId: idAt(payload, fields.sessionId) || inEnvironment,
    cwd: isTooLong(cwd) ? call.cwd : cwd,
  };
}

/** JSON beyond the limits: no hook gets it, but it says which session it is of. */
function anyJson(text: string): unknown {
  try {
    return JSON.parse(withoutBom(text));
  } catch {
    return undefined;
  }
}

/**
 * The client that really calls. A client that also reads the configuration of another one sets its own variables in the environment
 * of its hooks. `readers`: the clients that read the configuration of the named one.
 */
function realCaller(
  named: Client,
  readers: readonly Client[],
  env: Readonly<Record<string, string | undefined>>,
): Client {
  const calls = ({ environment }: Client) => environment.hookMarkers.some((name) => Boolean(env[name]));
  return readers.find(calls) ?? named;
}

/** Finds the folders and the session of a call. A session keeps the folders that it began in: changing the folder turns no hook off. */
export function locateCall(
  { env }: BridgeCall,
  { client, sessionId, cwd }: Pick<NativePayload, "client" | "sessionId" | "cwd">,
): CallLocation {
  const current = findLocations(cwd, env);
  const session = new BridgeSession(current.state, client.id, sessionId, cwd);
  const named = client.environment.project.map((name) => env[name] ?? "").filter((folder) => folder !== "");
  const here = [...new Set([cwd, ...named])];
  const begun = sessionId === "" ? here : session.startedIn(here);
  const others = (begun ?? here)
    .filter((folder) => folder !== cwd)
    .map((folder) => findLocations(folder, env));
  const locations = [current, ...others];
  return {
    locations,
    folders: locations.map((each) => each.cwd),
    state: current.state,
    project: locations.map(({ project }) => project).find((project) => project !== undefined),
    session,
    isStartUnknown: begun === undefined && named.length === 0,
  };
}

/** The bridge answers before the client's timeout: by a tenth of it, within these bounds. */
const MARGIN_MS = { least: 200, most: 5_000 };

/** The time from the client's call within which it must be answered, in milliseconds. */
export function findDeadline(client: Client, event: NativeEvent | undefined, timeoutMs?: number): number {
  const waitMs = timeoutMs ?? event?.timeout?.default ?? client.timeout.default;
  return waitMs - Math.min(MARGIN_MS.most, Math.max(MARGIN_MS.least, waitMs / 10));
}

/** Sessions of `tenterhook doctor`. The random part names the folder that doctor has made for this one call. */
const PROBE_SESSION = /tenterhook-doctor-[0-9a-f]{32}/;
const LENGTH = "tenterhook-doctor-".length + 32;

/** Whether a session is one that doctor sends a call in. Every call checks this, so it reads no file. */
function isProbeSession(sessionId: string): boolean {
  return sessionId.length === LENGTH && PROBE_SESSION.test(sessionId);
}

/** The folder that doctor makes for a call: its hook, and what the bridge stores about it. */
export function probeFolder(state: string, sessionId: string): string {
  return `${state}/bridge/probes/${sessionId}`;
}

/** The variables that lead to the folders of a probe in place of the user's. */
function probeVariables(folder: string): Readonly<Record<string, string>> {
  return {
    XDG_CONFIG_HOME: `${folder}/config`,
    XDG_STATE_HOME: `${folder}/state`,
    XDG_CACHE_HOME: `${folder}/cache`,
  };
}

/** A folder that doctor left behind when it was killed is not used any more after this time. */
const VALID_MS = 5 * 60_000;

/**
 * A call of `tenterhook doctor`, with the folders that doctor has made for it: only the hook in there is asked, and session, log and
 * plan are written in there. Without such a folder it is an ordinary call. The folder is inside the state folder, where only this user
 * can write, and every call that uses it is refused (`refusedProbe`), so nothing can be let through by it.
 */
function inProbeFolders(call: BridgeCall, sessionId: string): BridgeCall {
  const folder = probeFolder(findLocations(call.cwd, call.env).state, sessionId);
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true || Date.now() - stats.mtimeMs > VALID_MS) return call;
  return { ...call, env: { ...call.env, ...probeVariables(folder) } };
}

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
function idAt(payload: unknown, path: Path): string {
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
