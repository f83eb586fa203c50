import type { CataloguedHook } from "@tenterhook/file-hooks";
import { findLocations } from "@tenterhook/file-hooks";
import { withoutBom } from "@tenterhook/internal";
import { type EventName, eventRow } from "@tenterhook/protocol";
import { loadReaders } from "../../clients/index.ts";
import type { Client } from "../../definition/client.ts";
import type { NativeEvent } from "../../definition/events.ts";
import { lower, type NativeAnswer } from "../encode/lower.ts";
import { lowerWithNotes } from "../encode/lower-with-notes.ts";
import { concerns, readGuards } from "../match/guards.ts";
import { HookSet, isInForce, mustBlock } from "../match/hook-set.ts";
import { realCaller } from "../read/caller.ts";
import { waitedMs } from "../read/deadline.ts";
import { locateCall } from "../read/locate-call.ts";
import { isTooLong, type NativePayload, nativeEvent } from "../read/native-call.ts";
import type { BridgeCall } from "../read/open-call.ts";
import { idAt, textAt } from "../read/value-at.ts";
import { logDecision } from "../record/decision-log.ts";
import type { Verdict } from "./verdict.ts";

export interface Failure {
  readonly why: string;
  /** The call could not be read. No hook failed, so no `on_error` may let it pass. */
  readonly isUnreadable: boolean;
}

/** The name in the reason when the list of guards is missing too. */
const UNKNOWN_GUARDS = "guards that may be there";

/** A call that could not be judged, and what of it is known. */
export interface BrokenCall {
  readonly call: BridgeCall;
  /** The client that the command line names. */
  readonly named: Client;
  /** What the client sent, if it was received. */
  readonly text: string | undefined;
  /** The payload, if it could be read: then only its content could not be. */
  readonly native: NativePayload | undefined;
}

/** Who calls, at which event, and from where. */
interface Caller {
  readonly client: Client;
  readonly found: { readonly name: string; readonly event: NativeEvent } | undefined;
  readonly sessionId: string;
  readonly cwd: string;
}

/** Answers a call that could not be judged. It never throws. */
export async function answerBroken(
  broken: BrokenCall,
  { why, isUnreadable }: Failure,
): Promise<NativeAnswer> {
  const { call } = broken;
  const caller = await callerOf(broken);
  const { client, found } = caller;
  const event = found?.event.events[0];
  const message: NativeAnswer = { stdout: "", stderr: `tenterhook: ${why}\n`, exit: 0 };
  if (found === undefined || event === undefined) return message;
  const text = `${why} (${client.name}, ${found.name})`;
  const { verdict, hasHooks, session } = await fallback(call, caller, event, isUnreadable, text);
  const at = { client, eventName: found.name, native: found.event, event };
  const { answer, kind, refusal } =
    session === undefined ? lower(at, verdict) : lowerWithNotes(session, at, verdict);
  if (refusal !== undefined) session?.refuse(refusal);
  if (hasHooks) {
    const { reason = why } = verdict as { readonly reason?: string };
    const action = verdict.type === "proceed" ? "go_on" : "refuse";
    logDecision(findLocations(call.cwd, call.env).state, {
      time: new Date().toISOString(),
      event,
      client: client.id,
      native_event: found.name,
      session_id: caller.sessionId || undefined,
      outcome: verdict.type,
      action,
      reason,
      reported: kind,
      duration_ms: waitedMs(call.waitingSince),
      entries: [],
    });
  }
  return verdict.type === "proceed" && hasHooks && answer.stdout === "" ? message : answer;
}

/** The payload says it. If it could not be read, the environment may name the client that really calls, and the session. */
async function callerOf({ call, named, text = "", native }: BrokenCall): Promise<Caller> {
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

async function fallback(
  call: BridgeCall,
  { client, sessionId, cwd }: Caller,
  event: EventName,
  isUnreadable: boolean,
  why: string,
) {
  try {
    const { folders, session } = locateCall(call, { client, sessionId, cwd });
    const set = new HookSet({ folders, env: call.env, mode: "sync", report: () => undefined });
    const active = await set.active(event);
    const guards = active.filter(isUnreadable ? isInForce : mustBlock);
    const verdict = onErrorVerdict(event, guards.map(nameOf), why);
    return { verdict, hasHooks: active.length > 0, session };
  } catch {
    // The hooks cannot be read either: the guards that were known last decide.
    const { state } = findLocations(call.cwd, call.env);
    const guards = readGuards(state)
      ?.filter((guard) => guard.event === event)
      .filter(({ project }) => [cwd, call.cwd].some((folder) => concerns(project, folder)))
      .map(({ name }) => name);
    return { verdict: onErrorVerdict(event, guards ?? [UNKNOWN_GUARDS], why), hasHooks: true };
  }
}

/** The verdict about a call that could not be judged: the guards with `on_error: block` block it. */
export function onErrorVerdict(event: EventName, guards: readonly string[], why: string): Verdict {
  const note = `this was not judged: ${why}`;
  if (guards.length === 0 || eventRow(event).failure.action !== "refuse")
    return { type: "proceed", context: [], notes: [note] };
  const names = guards.join(", ");
  return {
    type: "block",
    reason: `${note}; ${names} must not be passed over`,
    by: names,
    context: [],
    notes: [],
  };
}

function nameOf({ hook }: CataloguedHook): string {
  return hook.name;
}
