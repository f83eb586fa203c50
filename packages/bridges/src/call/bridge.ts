import { messageOf } from "@tenterhook/internal";
import { loadClient, loadReaders } from "../clients/index.ts";
import type { Client } from "../definition/client.ts";
import { writtenFiles } from "../session/watched-file.ts";
import { PROCEED, type Verdict } from "./decide/verdict.ts";
import type { NativeAnswer } from "./encode/lower.ts";
import { hasDetachedHooks, isDetached, isRefusable } from "./match/detached-events.ts";
import { mayGuardShell, mayMatch } from "./match/may-match.ts";
import { keptPlan, type Plan, type PlannedHooks } from "./match/plan-file.ts";
import { realCaller } from "./read/caller.ts";
import { contentText } from "./read/content-text.ts";
import { deadlineOf, timeLeft } from "./read/deadline.ts";
import { locateCall } from "./read/locate-call.ts";
import {
  field,
  isIgnored,
  isTooLong,
  type NativePayload,
  nativeEvent,
  readPayload,
  UnreadableCall,
} from "./read/native-call.ts";
import { type BridgeCall, NOTHING, type OpenCall } from "./read/open-call.ts";
import { isProbeSession } from "./read/probe-session.ts";
import { type Normalised, normalise } from "./translate/steps.ts";

export { COMPLETE } from "./encode/complete-answer.ts";
export { UnreadableCall };

/**
 * Answers a client's call in its own format. It throws only when it does not know the client, whose format would be unknown; any other
 * failure is answered by the hooks' `on_error`. Modules that not every call needs are loaded only when a hook may apply.
 */
export async function bridge(call: BridgeCall): Promise<NativeAnswer> {
  const client = await loadClient(call.client);
  if (client === undefined)
    throw new Error(`unknown client "${call.client}"; see tenterhook clients. Nothing was judged`);
  const given = await answerCall(client, { waitingSince: performance.now(), ...call });
  const { emptyAnswer } = client;
  return given.stdout === "" && given.exit === 0 && emptyAnswer !== undefined
    ? { ...given, stdout: `${emptyAnswer}\n` }
    : given;
}

async function answerCall(client: Client, received: BridgeCall): Promise<NativeAnswer> {
  let call = received;
  let text: string | undefined;
  let native: NativePayload | undefined;
  let settle: (() => void) | undefined;
  try {
    text = await receivedText(client, call);
    native = await readNative(client, call, text);
    if (isTooLong(native.cwd)) throw new UnreadableCall("its working folder has too long a path");
    if (isIgnored(native) || native.event.events.length === 0) return NOTHING;
    const probe = isProbeSession(native.sessionId) ? await import("./record/probe-call.ts") : undefined;
    call = probe?.inProbeFolders(call, native.sessionId) ?? call;
    const location = locateCall(call, native);
    const open = { call, native, location };
    const plan = keptPlan(location.locations);
    if (isDetached(native.event) && hasDetachedHooks(open, plan)) {
      settle = announced(open);
      if (settle === undefined) return NOTHING;
    }
    const given =
      (await unknownVerdict(open, plan)) ?? (await deferredRefusal(open)) ?? (await answer(open, plan));
    if (probe !== undefined && call !== received) return probe.refusedProbe(open, given);
    return await withRemovedEntries(open, given);
  } catch (error) {
    call.signal?.throwIfAborted();
    // A call of doctor is never let through.
    if (call !== received) return { stdout: "", stderr: `${messageOf(error)}\n`, exit: 2 };
    const { answerBroken } = await import("./decide/broken.ts");
    const isUnreadable = error instanceof UnreadableCall;
    return await answerBroken({ call, named: client, text, native }, { why: messageOf(error), isUnreadable });
  } finally {
    // Of a call that has ended early the verdict stays unknown.
    if (call.signal?.aborted !== true) settle?.();
  }
}

/** Adds a note about entries that were removed from the client's files. If the check fails, the decision is not changed. */
async function withRemovedEntries(open: OpenCall, given: NativeAnswer): Promise<NativeAnswer> {
  try {
    const written = writtenFiles(open.location.state, open.native.client.id);
    if (written.length === 0) return given;
    return (await import("./record/notice-removed.ts")).noticeRemoved(open, written, given);
  } catch {
    return given;
  }
}

/** Announces a verdict that the client does not wait for; returns how to end that, or `undefined` if a call has asked in its place. */
function announced({ call, native, location }: OpenCall): (() => void) | undefined {
  const { verdicts } = location.session;
  const [event] = native.event.events;
  if (verdicts === undefined || event === undefined) return () => undefined;
  const nth = verdicts.announce(event, call.entry ?? call.client);
  return nth === undefined ? undefined : () => verdicts.settle(nth);
}

/** Waits for the verdicts that the client has not waited for. Returns an answer where one of them stays unknown and must not. */
async function unknownVerdict(open: OpenCall, plan: Plan | undefined): Promise<NativeAnswer | undefined> {
  const { verdicts } = open.location.session;
  if (verdicts === undefined || !isRefusable(open.native.event) || !hasDetachedHooks(open, plan))
    return undefined;
  const { awaitVerdicts } = await import("./decide/awaited-verdicts.ts");
  return awaitVerdicts(open, verdicts, plan, (other) => answer(other, plan));
}

async function answer(open: OpenCall, known: Plan | undefined): Promise<NativeAnswer> {
  const plan = known ?? keptPlan(open.location.locations);
  const normalised = normalise(open.native);
  await noticeUnmapped(open, normalised);
  const { session, isStartUnknown } = open.location;
  const isQuiet = plan !== undefined && !isStartUnknown && session.hasReported(plan.findings);
  if (
    !isQuiet ||
    mayMatch(plan.hooks, normalised) ||
    (await mayStartInteractive(open, plan.hooks, normalised))
  ) {
    const { judgeCall } = await import("./decide/judge-call.ts");
    return judgeCall(open, normalised, plan);
  }
  const kept = open.native.event.powers.context === undefined ? [] : session.takeContext();
  if (kept.length === 0 && !hasNotesToShow(open)) return NOTHING;
  const { lowerFor } = await import("./encode/lower-for.ts");
  return lowerFor(open, { ...PROCEED, context: kept }, normalised.steps[0]?.event).answer;
}

/** Stores the name of a tool without a canonical name, so that `doctor` can list it. */
async function noticeUnmapped({ native, location }: OpenCall, normalised: Normalised): Promise<void> {
  if (normalised.call?.isUnmapped !== true) return;
  const { isOfUnmappedTool, recordUnmappedTool } = await import("./record/unmapped-tools.ts");
  if (isOfUnmappedTool(native, normalised)) recordUnmappedTool(location.state, native, normalised);
}

/** Whether a program may be started that runs what is typed into it, which the client does not show, and a hook guards Shell. */
async function mayStartInteractive(
  { native: { client } }: OpenCall,
  plan: PlannedHooks,
  { steps }: Normalised,
): Promise<boolean> {
  if (client.unseenInput === undefined || !mayGuardShell(plan)) return false;
  const { startedProgram } = await import("./decide/interactive-start.ts");
  return startedProgram(steps) !== undefined;
}

function hasNotesToShow({ native, location: { session } }: OpenCall): boolean {
  const { note } = native.event.powers;
  if (note === undefined) return false;
  return (
    session.hasNotes("notes-unseen") || (note.seen === "everywhere" && session.hasNotes("notes-on-terminal"))
  );
}

/** A refusal of an event that could not be refused applies to the next one that can. */
async function deferredRefusal(open: OpenCall): Promise<NativeAnswer | undefined> {
  const { event } = open.native;
  const { session } = open.location;
  if (event.events.includes("before_agent")) {
    if (session.isFeedback(contentText(field(open.native, "prompt")) ?? "")) return NOTHING;
    session.beginTurn();
  }
  const refusable = event.events.find((name) => name === "before_tool" || name === "before_agent");
  if (refusable === undefined || !isRefusable(event)) return undefined;
  const { refusal } = session;
  if (refusal === undefined) return undefined;
  const verdict: Verdict = { type: "block", reason: refusal.reason, context: [], notes: [] };
  const { lowerFor } = await import("./encode/lower-for.ts");
  const lowered = lowerFor(open, verdict, refusable);
  const { logUnasked } = await import("./record/log-unasked.ts");
  logUnasked(open, refusable, verdict, lowered);
  return lowered.answer;
}

async function readNative(named: Client, call: BridgeCall, text: string): Promise<NativePayload> {
  const native = readPayload(named, call.event, text, call.cwd);
  const { session } = named.environment;
  // The environment has the session of the payload: the named client calls.
  if (session === undefined || call.env[session] === native.sessionId) return native;
  const client = realCaller(named, await loadReaders(named.id), call.env);
  return client === named ? native : readPayload(client, call.event, text, call.cwd);
}

async function receivedText(
  client: Client,
  { event, stdin, timeoutMs, waitingSince }: BridgeCall,
): Promise<string> {
  if (typeof stdin === "string") return stdin;
  return stdin(timeLeft(deadlineOf(client, nativeEvent(client, event)?.event, timeoutMs), waitingSince));
}
