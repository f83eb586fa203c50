import { messageOf } from "@tenterhook/internal";
import type { EventName } from "@tenterhook/protocol";
import type { Path } from "../../definition/events.ts";
import type { Refusal } from "../../session/bridge-session.ts";
import type { PendingVerdicts, Waited } from "../../session/pending-verdicts.ts";
import { detachedEvents } from "../match/detached-events.ts";
import { HookSet, mustBlock } from "../match/hook-set.ts";
import type { Plan } from "../match/plan-file.ts";
import { findDeadline } from "../read/deadline.ts";
import { type NativePayload, readFields } from "../read/native-call.ts";
import type { OpenCall } from "../read/open-call.ts";
import type { CallVerdict } from "./call-verdict.ts";
import { timeLeft } from "./in-time.ts";
import { onErrorVerdict } from "./on-error-verdict.ts";

/** The verdict of `on_error` about an event whose own verdict is not known. */
export interface UnknownVerdict {
  readonly verdict: CallVerdict;
  readonly event: EventName;
  /** Later calls are refused too. */
  readonly refusal?: Refusal;
}

/** Answers an event by its hooks. */
type Answer = (open: OpenCall) => Promise<unknown>;

type Unknown = Exclude<Waited, { readonly type: "settled" }> | Failed;
interface Failed {
  readonly type: "failed";
  readonly events: readonly EventName[];
  readonly why: string;
}

/**
 * Waits for the verdicts about events that the client has not waited for. If the start of the session is not even announced, its hooks are
 * asked here. A verdict that cannot be known is that of these hooks' `on_error`, which this returns.
 */
export async function awaitVerdicts(
  open: OpenCall,
  verdicts: PendingVerdicts,
  plan: Plan | undefined,
  answer: Answer,
): Promise<UnknownVerdict | undefined> {
  const failed = await standIn(open, verdicts, answer);
  const waited = failed ?? (await verdicts.wait(timeLeft(open)));
  return waited.type === "settled" ? undefined : decideByOnError(open, plan, waited);
}

async function standIn(
  open: OpenCall,
  verdicts: PendingVerdicts,
  answer: Answer,
): Promise<Failed | undefined> {
  const start = detachedEvents(open.native.client).find(([, { events }]) => events.includes("session_start"));
  const nth = start === undefined ? undefined : verdicts.standIn("session_start");
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
    verdicts.settle(nth);
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

async function decideByOnError(
  open: OpenCall,
  plan: Plan | undefined,
  unknown: Unknown,
): Promise<UnknownVerdict> {
  const [event = "session_start"] = unknown.events;
  const guards = await guardsAt(open, plan, unknown.events);
  const verdict = onErrorVerdict(event, guards, whyUnknown(unknown));
  // A process that is only late may still decide otherwise.
  const isFinal = unknown.type !== "late" && "reason" in verdict;
  const until = event === "session_start" ? "session" : "turn";
  return { verdict, event, ...(isFinal && { refusal: { reason: verdict.reason, until } }) };
}

async function guardsAt(
  { call, location }: OpenCall,
  plan: Plan | undefined,
  events: readonly EventName[],
): Promise<readonly string[]> {
  if (plan !== undefined)
    return events
      .flatMap((event) => (plan.hooks[event] ?? []).filter((hook) => hook.mustBlock))
      .map(readName);
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

function readName({ name }: { readonly name: string }): string {
  return name;
}
