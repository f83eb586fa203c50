import { join } from "node:path";
import { mustBlock } from "@tenterhook/file-hooks/discover";
import { messageOf } from "@tenterhook/internal";
import { isRunning } from "@tenterhook/internal/files";
import type { EventName } from "@tenterhook/protocol";
import type { Client } from "../definition/client.ts";
import type { NativeEvent, Path } from "../definition/events.ts";
import { type SessionFiles, shortHash } from "../session/bridge-session.ts";
import { timeLeft } from "./decide/evaluate.ts";
import { type NativeAnswer, NOTHING } from "./encode/encode.ts";
import type { Plan } from "./match/plan-file.ts";
import {
  contentText,
  findDeadline,
  type NativePayload,
  type OpenCall,
  readFields,
} from "./read/read-call.ts";

// Some clients do not wait for the answer to the start of a session or to a prompt, and others cannot refuse it. Then later calls of the
// session are refused in its place. The process that works out a verdict which the client does not wait for announces that before it asks
// any hook, and records its end; the next call that can be refused waits for it.

/** Answers an event by its hooks. */
type Answer = (open: OpenCall) => Promise<NativeAnswer>;

/**
 * Announces the verdict about an event that the client does not wait for, if hooks are asked about it. Returns what to do when it is known, or
 * `undefined` if a call that came first has asked them in its place.
 */
export function announceVerdict(open: OpenCall, plan: Plan | undefined): (() => void) | undefined {
  const { call, native, location } = open;
  const files = location.session.verdictFiles;
  const [event] = native.event.events;
  if (
    !isDetached(native.event) ||
    !hasDetachedHooks(open, plan) ||
    files === undefined ||
    event === undefined
  )
    return () => undefined;
  const nth = announce(files, event, call.entry ?? call.client);
  return nth === undefined ? undefined : () => settle(files, nth);
}

/**
 * The answer that earlier events of the session require: one of them was refused, or its verdict is not known. `undefined` if there is none.
 * If the start of the session is not even announced, its hooks are asked here. A prompt begins a turn, and ends the refusals of the one before.
 */
export async function answerFromEarlier(
  open: OpenCall,
  plan: Plan | undefined,
  answer: Answer,
): Promise<NativeAnswer | undefined> {
  const { event, values } = open.native;
  const { session } = open.location;
  const files = session.verdictFiles;
  if (files !== undefined && isRefusable(event) && hasDetachedHooks(open, plan)) {
    const failed = await standIn(open, files, answer);
    const waited = failed ?? (await waitForVerdicts(files, timeLeft(open)));
    const unknown = waited.type === "settled" ? undefined : await answerUnknown(open, plan, waited);
    if (unknown !== undefined) return unknown;
  }
  if (event.events.includes("before_agent")) {
    // The client reports the reason of a stop gate as a prompt: it is not one.
    if (session.isFeedback(contentText(values.prompt) ?? "")) return NOTHING;
    session.beginTurn();
  }
  const refused = isRefusable(event) ? findRefusable(event) : undefined;
  const reason = refused === undefined ? undefined : session.refusal?.reason;
  if (refused === undefined || reason === undefined) return undefined;
  const { answerUnasked } = await import("./record/unasked-answers.ts");
  return answerUnasked(open, refused, { type: "block", reason, context: [], notes: [] });
}

const DEFERRED = ["session_start", "before_agent"] as const;

/** Whether a client goes on before hooks have answered an event whose refusal applies to what follows. */
function isDetached({ waits, events }: NativeEvent): boolean {
  return waits === false && DEFERRED.some((name) => events.includes(name));
}

/** A client's events of that kind, by name. */
function detachedEvents({ events }: Client): readonly (readonly [string, NativeEvent])[] {
  return Object.entries(events).filter(([, event]) => isDetached(event));
}

/** Whether a hook is waited for at an event of that kind; yes, if that is not known. */
function hasDetachedHooks({ native }: OpenCall, plan: Plan | undefined): boolean {
  const detached = isDetached(native.event)
    ? [native.event]
    : detachedEvents(native.client).map(([, event]) => event);
  if (detached.length === 0) return false;
  const events = detached.flatMap((event) => event.events);
  return plan === undefined || events.some((name) => plan.hooks[name]?.some(({ mode }) => mode === "sync"));
}

/** Whether a refusal of an earlier event can be applied at this one. */
function isRefusable({ waits, events, capabilities }: NativeEvent): boolean {
  return findRefusable({ events }) !== undefined && waits !== false && capabilities.block !== undefined;
}

function findRefusable({ events }: Pick<NativeEvent, "events">): EventName | undefined {
  return events.find((name) => name === "before_tool" || name === "before_agent");
}

/** A verdict that a process works out while the client goes on. Each is a file of the session, and so is each fact about it. */
interface Pending {
  readonly pid: number;
  readonly event: EventName;
  /** It is worked out by the process of a later call, which came first. */
  readonly isStandIn: boolean;
}

interface Announced extends Pending {
  readonly nth: number;
}

/** How the wait for the verdicts of a session ended. */
type Waited = { readonly type: "settled" } | Unknown;

/** Why verdicts are not known. */
type Unknown =
  | { readonly type: "late" | "died"; readonly events: readonly EventName[] }
  | { readonly type: "failed"; readonly events: readonly EventName[]; readonly why: string };

const FOLDER = "verdicts";
const PAUSE_MS = 20;

/** Announces that this process works out a verdict. `undefined`: a call that came first has done it in its place. */
function announce(files: SessionFiles, event: EventName, entry: string): number | undefined {
  for (let nth = 0; nth < 10_000; nth++) {
    if (createPending(files, nth, { pid: process.pid, event, isStandIn: false })) return nth;
    const { isStandIn = false, event: its } = readPending(files, nth) ?? {};
    const met = join(FOLDER, `${nth}-met-${shortHash(entry)}`);
    if (isStandIn && its === event && files.create(met, "")) return undefined;
  }
  return undefined;
}

/** Asks the hooks of the start of the session, if it has not been announced. */
async function standIn(open: OpenCall, files: SessionFiles, answer: Answer): Promise<Unknown | undefined> {
  const start = detachedEvents(open.native.client).find(([, { events }]) => events.includes("session_start"));
  const nth = start === undefined ? undefined : announceStandIn(files, "session_start");
  if (start === undefined || nth === undefined) return undefined;
  const [eventName, event] = start;
  const { client, payload } = open.native;
  const read = readFields(client, event, withoutCall(open.native, payload));
  const native = { ...open.native, eventName, event, ...read };
  const deadlineMs = findDeadline(client, event, open.call.timeoutMs);
  try {
    await answer({ ...open, native, deadlineMs });
    return undefined;
  } catch (error) {
    return { type: "failed", events: ["session_start"], why: messageOf(error) };
  } finally {
    settle(files, nth);
  }
}

/** Announces a verdict about an event that has not been delivered yet. `undefined`: another process has announced one. */
function announceStandIn(files: SessionFiles, event: EventName): number | undefined {
  for (;;) {
    const announced = listAnnounced(files, files.names(FOLDER));
    if (announced.some((each) => each.event === event)) return undefined;
    // Of several calls at once, one gets the number; it may also go to the event itself.
    const nth = Math.max(-1, ...announced.map((each) => each.nth)) + 1;
    if (createPending(files, nth, { pid: process.pid, event, isStandIn: true })) return nth;
  }
}

/** What of a payload is about the session, not about the call. */
function withoutCall({ fields }: NativePayload, payload: NativePayload["payload"]): NativePayload["payload"] {
  const ofCall = [fields.toolName, fields.toolInput, fields.toolUseId, fields.prompt].flatMap(firstKeys);
  const names = new Set([...ofCall, "hook_event_name", "hookName", "hookEventName"]);
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !names.has(key)));
}

function firstKeys(path: Path): readonly string[] {
  return [path].flat().map((each) => each.split(".")[0] ?? each);
}

/** The verdict is known, and what follows from it is stored. */
function settle(files: SessionFiles, nth: number): void {
  files.create(join(FOLDER, settledName(nth)), "");
}

/** Waits until every announced verdict is known, one of their processes has died, or the time is over. */
async function waitForVerdicts(files: SessionFiles, leftMs: number): Promise<Waited> {
  const until = performance.now() + leftMs;
  for (;;) {
    const dead = listUnsettled(files).filter(({ pid }) => !isRunning(pid));
    // One that has ended since may have settled its verdict just before.
    const unsettled = listUnsettled(files);
    if (unsettled.length === 0) return { type: "settled" };
    const died = dead.filter(({ nth }) => unsettled.some((each) => each.nth === nth));
    if (died.length > 0) {
      for (const { nth } of died) settle(files, nth);
      return { type: "died", events: listEvents(died) };
    }
    const left = until - performance.now();
    if (left <= 0) return { type: "late", events: listEvents(unsettled) };
    await new Promise((resolve) => setTimeout(resolve, Math.min(PAUSE_MS, left)));
  }
}

function listUnsettled(files: SessionFiles): readonly Announced[] {
  const names = new Set(files.names(FOLDER));
  return listAnnounced(
    files,
    [...names].filter((name) => !names.has(settledName(name))),
  );
}

function listAnnounced(files: SessionFiles, names: readonly string[]): readonly Announced[] {
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .flatMap((nth) => {
      const pending = readPending(files, nth);
      return pending === undefined ? [] : [{ ...pending, nth }];
    });
}

function createPending(files: SessionFiles, nth: number, pending: Pending): boolean {
  return files.createWhole(join(FOLDER, String(nth)), JSON.stringify(pending));
}

function readPending(files: SessionFiles, nth: number): Pending | undefined {
  const { pid, event, isStandIn } = (files.read(join(FOLDER, String(nth))) ?? {}) as Partial<Pending>;
  return typeof pid === "number" && typeof event === "string"
    ? { pid, event, isStandIn: isStandIn === true }
    : undefined;
}

function settledName(nth: number | string): string {
  return `${nth}-settled`;
}

function listEvents(pending: readonly Pending[]): readonly EventName[] {
  return [...new Set(pending.map(({ event }) => event))];
}

/** Decides by the `on_error` of the hooks whose verdict is not known. Returns an answer where the call must not pass. */
async function answerUnknown(
  open: OpenCall,
  plan: Plan | undefined,
  unknown: Unknown,
): Promise<NativeAnswer | undefined> {
  const [event = "session_start"] = unknown.events;
  const guards = await guardsAt(open, plan, unknown.events);
  // A process that is only late may still decide otherwise.
  const until = unknown.type === "late" ? undefined : event === "session_start" ? "session" : "turn";
  const refused = findRefusable(open.native.event) ?? event;
  const { answerByOnError } = await import("./record/unasked-answers.ts");
  return answerByOnError(open, { event, guards, why: whyUnknown(unknown), refused, until });
}

/** The names of the hooks that must block at some events. */
async function guardsAt(
  { call, location }: OpenCall,
  plan: Plan | undefined,
  events: readonly EventName[],
): Promise<readonly string[]> {
  if (plan !== undefined)
    return events.flatMap((event) =>
      (plan.hooks[event] ?? []).filter((hook) => hook.mustBlock).map(({ name }) => name),
    );
  const { HookSet } = await import("./match/match-hooks.ts");
  const set = new HookSet({
    folders: location.folders,
    env: call.env,
    mode: "sync",
    report: () => undefined,
  });
  const active = await Promise.all(events.map((event) => set.active(event)));
  return active
    .flat()
    .filter(mustBlock)
    .map(({ hook }) => hook.name);
}

function whyUnknown(unknown: Unknown): string {
  const which = `the hooks of ${unknown.events.join(" and ")}`;
  if (unknown.type === "failed") return `${which} could not be asked: ${unknown.why}`;
  if (unknown.type === "died") return `the process that asked ${which} has ended without an answer`;
  return `${which} have not answered in the time that this call has`;
}
