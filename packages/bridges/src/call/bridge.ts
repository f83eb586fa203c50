import { messageOf, typedCommand } from "@tenterhook/internal";
import { loadClient } from "../clients/index.ts";
import type { Client } from "../definition/client.ts";
import { PROCEED } from "./decide/call-verdict.ts";
import { announceVerdict, answerFromEarlier } from "./earlier-events.ts";
import { type NativeAnswer, NOTHING } from "./encode/encode.ts";
import { findOwnCommand } from "./match/own-command.ts";
import { mayGuardShell, mayMatch, type Plan, type PlannedHooks, readPlan } from "./match/plan-file.ts";
import {
  type BridgeCall,
  type OpenCall,
  type ReceivedCall,
  readCall,
  UnreadableCall,
} from "./read/read-call.ts";
import { writtenFiles } from "./record/watched-file.ts";
import { type Translated, translate } from "./translate/translate.ts";

export { COMPLETE } from "./encode/encode.ts";
export { UnreadableCall };

/**
 * Answers a client's call in its own format. It throws only when it does not know the client, whose format would be unknown; any other
 * failure is answered by the hooks' `on_error`. Modules that not every call needs are loaded only when a hook may apply.
 */
export async function bridge(call: BridgeCall): Promise<NativeAnswer> {
  const client = await loadClient(call.client);
  if (client === undefined)
    throw new Error(`unknown client "${call.client}"; see ${typedCommand()} clients. Nothing was checked`);
  const timed = { waitingSince: performance.now(), ...call };
  const received: ReceivedCall = { named: client, call: timed, text: undefined, native: undefined };
  return withEmptyAnswer(client, await answerCall(received, timed));
}

/** The answer, or what the client needs in place of an empty one. */
function withEmptyAnswer({ emptyAnswer }: Client, answer: NativeAnswer): NativeAnswer {
  const isEmpty = answer.stdout === "" && answer.exit === 0;
  return isEmpty && emptyAnswer !== undefined ? { ...answer, stdout: `${emptyAnswer}\n` } : answer;
}

async function answerCall(received: ReceivedCall, original: BridgeCall): Promise<NativeAnswer> {
  let settle: (() => void) | undefined;
  try {
    const open = await readCall(received);
    if (open === undefined) return NOTHING;
    const plan = readPlan(open.location.locations);
    settle = announceVerdict(open, plan);
    if (settle === undefined) return NOTHING;
    const earlier = await answerFromEarlier(open, plan, (other) => answerOpen(other, plan));
    const answer = earlier ?? (await answerOpen(open, plan));
    if (open.call !== original)
      return (await import("./record/unasked-answers.ts")).refusedProbe(open, answer);
    return await withRemovedEntries(open, answer);
  } catch (error) {
    // A call of doctor is never let through.
    if (received.call !== original) return { stdout: "", stderr: `${messageOf(error)}\n`, exit: 2 };
    const { answerBroken } = await import("./answer-broken.ts");
    const isUnreadable = error instanceof UnreadableCall;
    return await answerBroken(received, { why: messageOf(error), isUnreadable });
  } finally {
    settle?.();
  }
}

async function answerOpen(open: OpenCall, known: Plan | undefined): Promise<NativeAnswer> {
  const translated = translate(open.native);
  await noticeUnmapped(open, translated);
  const plan = known ?? readPlan(open.location.locations);
  const mayRefuse =
    plan === undefined ||
    !isQuiet(open, plan) ||
    (await mayConcern(open, plan.hooks, translated)) ||
    (await runsOwnCommand(open, translated));
  if (mayRefuse) {
    const { answerByHooks } = await import("./answer-by-hooks.ts");
    return answerByHooks(open, translated, plan);
  }
  const { session } = open.location;
  const context = open.native.event.capabilities.context === undefined ? [] : session.takeContext();
  if (context.length === 0 && !hasNotesToShow(open)) return NOTHING;
  const { encodeFor } = await import("./encode/encode-call.ts");
  return encodeFor(open, { ...PROCEED, context }, translated.steps[0]?.event).answer;
}

/** Stores the name of a tool without a canonical name, so that `doctor` can list it. */
async function noticeUnmapped({ native, location }: OpenCall, translated: Translated): Promise<void> {
  if (translated.call?.isUnmapped !== true) return;
  const { isUnmappedCall, recordUnmappedTool } = await import("./record/unmapped-tools.ts");
  if (isUnmappedCall(native, translated)) recordUnmappedTool(location.state, native, translated);
}

/** Whether all that a plan has to report was reported in this session. */
function isQuiet({ location: { session, isStartUnknown } }: OpenCall, { findings }: Plan): boolean {
  return !isStartUnknown && session.hasReported(findings.map(({ text }) => text));
}

/**
 * Whether a hook may match the call, or guards Shell where a program may be started that runs what is typed into it, which the client does
 * not show.
 */
async function mayConcern(
  { native: { client } }: OpenCall,
  plan: PlannedHooks,
  translated: Translated,
): Promise<boolean> {
  const quick = mayMatch(plan, translated);
  if (quick === "maybe") return true;
  if (quick === "by_effect") {
    const { mayMatchEffects } = await import("./match/quick-effects.ts");
    if (await mayMatchEffects(plan, translated.steps)) return true;
  }
  if (client.unseenInput === undefined || !mayGuardShell(plan)) return false;
  const { startedProgram } = await import("./match/interactive-program.ts");
  return startedProgram(translated.steps) !== undefined;
}

/** Whether the call runs what only a person may run, which is refused whatever hooks there are. */
async function runsOwnCommand({ call, native }: OpenCall, { steps }: Translated): Promise<boolean> {
  return (await findOwnCommand(steps, { workDir: native.cwd, home: call.env.HOME })) !== undefined;
}

function hasNotesToShow({ native, location: { session } }: OpenCall): boolean {
  const { note } = native.event.capabilities;
  if (note === undefined) return false;
  return (
    session.hasNotes("notes-unseen") || (note.seen === "everywhere" && session.hasNotes("notes-on-terminal"))
  );
}

/** Adds a note about entries that were removed from the client's files. If the check fails, the decision is not changed. */
async function withRemovedEntries(open: OpenCall, answer: NativeAnswer): Promise<NativeAnswer> {
  try {
    const written = writtenFiles(open.location.state, open.native.client.id);
    if (written.length === 0) return answer;
    return (await import("./record/unasked-answers.ts")).noticeRemoved(open, written, answer);
  } catch {
    return answer;
  }
}
