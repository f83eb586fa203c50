import { findLocations } from "@tenterhook/file-hooks";
import { decideBroken, type Failure } from "./decide/decide-broken.ts";
import { encode } from "./encode/encode.ts";
import { encodeWithNotes } from "./encode/encode-with-notes.ts";
import type { NativeAnswer } from "./encode/native-answer.ts";
import { findCaller } from "./read/find-caller.ts";
import type { ReceivedCall } from "./read/read-call.ts";
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
