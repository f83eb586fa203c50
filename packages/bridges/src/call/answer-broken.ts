import { type CataloguedHook, findLocations } from "@tenterhook/file-hooks";
import { isGuardFor, isInForce, mustBlock, readGuards } from "@tenterhook/file-hooks/discover";
import type { EventName } from "@tenterhook/protocol";
import type { BridgeSession } from "../session/bridge-session.ts";
import { type CallVerdict, onErrorVerdict } from "./decide/call-verdict.ts";
import { encode, type NativeAnswer } from "./encode/encode.ts";
import { encodeWithNotes } from "./encode/encode-call.ts";
import { HookSet } from "./match/match-hooks.ts";
import { type BridgeCall, type Caller, findCaller, locateCall, type ReceivedCall } from "./read/read-call.ts";
import { logDecision, waitedMs } from "./record/decision-log.ts";

/** Answers a call that could not be checked. It never throws. */
export async function answerBroken(received: ReceivedCall, failure: Failure): Promise<NativeAnswer> {
  const { call } = received;
  const { why } = failure;
  const caller = await findCaller(received);
  const { client, found } = caller;
  const event = found?.event.events[0];
  const message: NativeAnswer = { stdout: "", stderr: `tenterhook: ${why}\n`, exit: 0 };
  if (found === undefined || event === undefined) return message;
  const text = `${why} (${client.name}, ${found.name})`;
  const { verdict, hasHooks, session } = await decideBroken(call, caller, event, { ...failure, why: text });
  const at = { client, eventName: found.name, native: found.event, event };
  const { answer, kind, refusal } =
    session === undefined ? encode(at, verdict) : encodeWithNotes(session, at, verdict);
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

export interface Failure {
  readonly why: string;
  /** The call could not be read. No hook failed, so no `on_error` may let it pass. */
  readonly isUnreadable: boolean;
}

/** The verdict about a call that no hook could be asked about. */
export interface BrokenVerdict {
  readonly verdict: CallVerdict;
  readonly hasHooks: boolean;
  readonly session?: BridgeSession;
}

/** The name in the reason when the list of guards is missing too. */
const UNKNOWN_GUARDS = "guards that may be there";

/** Decides about a call that could not be checked, by the `on_error` of the hooks of its event. It never throws. */
export async function decideBroken(
  call: BridgeCall,
  { client, sessionId, cwd }: Caller,
  event: EventName,
  { why, isUnreadable }: Failure,
): Promise<BrokenVerdict> {
  try {
    const { folders, session } = locateCall(call, { client, sessionId, cwd });
    const set = new HookSet({ folders, env: call.env, mode: "sync", report: () => undefined });
    const active = await set.active(event);
    const guards = active.filter(isUnreadable ? isInForce : mustBlock);
    const verdict = onErrorVerdict(event, guards.map(readName), why);
    return { verdict, hasHooks: active.length > 0, session };
  } catch {
    // The hooks cannot be read either: the guards that were known last decide.
    const { state } = findLocations(call.cwd, call.env);
    const guards = readGuards(state)
      ?.filter((guard) => guard.event === event)
      .filter(({ project }) => [cwd, call.cwd].some((folder) => isGuardFor(project, folder)))
      .map(({ name }) => name);
    return { verdict: onErrorVerdict(event, guards ?? [UNKNOWN_GUARDS], why), hasHooks: true };
  }
}

function readName({ hook }: CataloguedHook): string {
  return hook.name;
}
