import { basename } from "node:path";
import type { EventName } from "@tenterhook/protocol";
import { type BridgeSession, shortHash } from "../../session/bridge-session.ts";
import type { HookSet, Matched } from "../match/match-hooks.ts";
import { findOwnCommand } from "../match/own-command.ts";
import type { PlannedHook } from "../match/plan-file.ts";
import type { NativePayload, OpenCall } from "../read/read-call.ts";
import type { Translated } from "../translate/translate.ts";
import { type Additions, type CallVerdict, PROCEED } from "./call-verdict.ts";
import { type Evaluation, evaluateInTime, finalSteps } from "./evaluate.ts";

/** What was decided about a call. */
export interface Decided extends Evaluation {
  /** The verdict for the client, with all notes about it. */
  readonly complete: CallVerdict;
  /** Notes about hooks that may concern the call and were not asked. */
  readonly unasked: readonly string[];
  /** A person has allowed this one call, about which hooks asked. */
  readonly isAllowedOnce?: true;
}

/** Asks the hooks about a call, in the time that the client gives. */
export async function decide(open: OpenCall, translated: Translated, matched: Matched): Promise<Decided> {
  const { native, location } = open;
  const { set, active } = matched;
  const marked = withBlockedStatus(
    location.session,
    native,
    withStopFlag(location.session, native, translated),
  );
  const unasked = await decideAboutUnasked(open, set, translated, active);
  const asked =
    active.length === 0 || unasked.type !== "proceed"
      ? withoutHooks(translated, unasked)
      : await evaluateInTime(open, set, marked, active);
  const started = await withoutInteractiveStart(open, set, marked, asked);
  const evaluation = await withoutOwnCommand(open, marked, started);
  const verdict = gated(location.session, native, evaluation);
  const complete = {
    ...verdict,
    notes: [
      ...new Set([...verdict.notes, ...unasked.notes]),
      ...notesForPerson(matched),
      ...settingNote(set, verdict, location.session),
    ],
  };
  return { ...evaluation, verdict, complete, unasked: unasked.notes };
}

/** The files whose problems a person must know. What hooks print is for the log only. */
const FILES = new Set(["HOOK.md", "hooks.toml", "known-guards.json", "trust.json"]);

/** The notes for the person: problems of hook files. */
export function notesForPerson({ reports }: Matched): readonly string[] {
  return reports
    .filter(({ file }) => file !== undefined && FILES.has(basename(file)))
    .map(({ text }) => text);
}

/** What the person can write where they want the rule to do less, once in a session. */
function settingNote(
  { ruleSettings }: HookSet,
  verdict: CallVerdict,
  session: BridgeSession,
): readonly string[] {
  const by = verdict.type === "proceed" ? undefined : verdict.by;
  const setting = by === undefined ? undefined : ruleSettings.get(by);
  return setting === undefined || !session.isNewNotice(setting) ? [] : [setting];
}

/** The verdict about hooks that may concern the call and are not asked. */
async function decideAboutUnasked(
  open: OpenCall,
  { trustProblem }: HookSet,
  translated: Translated,
  active: readonly PlannedHook[],
): Promise<CallVerdict> {
  if (trustProblem === undefined && !open.location.isStartUnknown) return PROCEED;
  const { decideUnasked, decideUnknownTrust } = await import("./unasked-hooks.ts");
  return trustProblem === undefined
    ? decideUnasked(open, translated)
    : decideUnknownTrust(open, translated, active, trustProblem);
}

async function withoutInteractiveStart(
  { native: { client } }: OpenCall,
  set: HookSet,
  { steps }: Translated,
  evaluation: Evaluation,
): Promise<Evaluation> {
  if (client.unseenInput === undefined) return evaluation;
  const { refuseInteractiveStart } = await import("./interactive-start.ts");
  return refuseInteractiveStart(client, set, steps, evaluation);
}

/** Refuses a shell command that answers for the person, or makes less enforced: `tenterhook allow` and its like. */
async function withoutOwnCommand(
  { call, native: { cwd } }: OpenCall,
  { steps }: Translated,
  evaluation: Evaluation,
): Promise<Evaluation> {
  const { type, context, notes } = evaluation.verdict;
  if (type === "block" || type === "stop") return evaluation;
  const place = { workDir: cwd, home: call.env.HOME };
  const command = await findOwnCommand(finalSteps(steps, evaluation), place);
  if (command === undefined) return evaluation;
  const reason = `this runs ${command}, which only a person may run: ask them to do it, in a terminal outside of the agent`;
  const verdict: CallVerdict = { type: "block", reason, by: "tenterhook", context, notes };
  return { ...evaluation, verdict, event: "before_tool" };
}

function withoutHooks({ steps }: Translated, verdict: CallVerdict): Evaluation {
  return { verdict, event: steps[0]?.event ?? "on_error", steps: [] };
}

/** Some clients report a refused call as a failed one. This sets the status `blocked` on it. */
function withBlockedStatus(
  session: BridgeSession,
  native: NativePayload,
  translated: Translated,
): Translated {
  const id = native.values.toolUseId;
  const isFailure = translated.steps.some(({ event }) => event === "after_tool_failure");
  if (!native.client.reportsBlockedTools || !isFailure || typeof id !== "string") return translated;
  if (!session.wasBlocked(id)) return translated;
  const steps = translated.steps.map((step) => ({
    ...step,
    payload: { ...step.payload, status: "blocked" } as never,
  }));
  return { ...translated, steps };
}

/** How often hooks may keep an agent running before it may stop. */
const MAX_TIMES = 3;

/** Sets `stopHookActive` for stop gates that kept the agent running before. The bridge counts: the flags of some clients are wrong. */
export function withStopFlag(
  session: BridgeSession,
  native: NativePayload,
  translated: Translated,
): Translated {
  if (!translated.steps.some(({ event }) => isStop(event))) return translated;
  const steps = translated.steps.map((step) => {
    if (!isStop(step.event)) return step;
    const stopHookActive = session.timesKeptRunning(findGate(step.event, native)) > 0;
    return { ...step, payload: { ...step.payload, stopHookActive } as never };
  });
  return { ...translated, steps };
}

/** The verdict, unless the agent was kept running too often and must be allowed to stop, which a note reports. */
export function gated(
  session: BridgeSession,
  native: NativePayload,
  { verdict, event }: Evaluation,
): CallVerdict {
  if (!isStop(event)) return verdict;
  const gate = findGate(event, native);
  const times = session.timesKeptRunning(gate);
  if (verdict.type !== "block") {
    if (times > 0) session.clearKeptRunning(gate);
    return verdict;
  }
  if (times < Math.min(native.event.stopLimit ?? MAX_TIMES, MAX_TIMES)) {
    const isKept = session.addKeptRunning(gate, verdict.reason) !== undefined;
    // If the count cannot be stored, an agent could be kept running forever; then the client's flag decides.
    if (isKept || native.values.stopHookActive === false) return verdict;
    return released(
      verdict,
      "and how often it was kept running cannot be counted: the state folder cannot be written to",
    );
  }
  session.clearKeptRunning(gate);
  return released(verdict, `which kept it running ${times} times`);
}

function released(
  { reason, context, notes }: Additions & { readonly reason: string },
  why: string,
): CallVerdict {
  const note = `it stops without satisfying its gate, ${why}: ${reason}`;
  return { type: "proceed", context, notes: [...notes, note] };
}

function isStop(event: EventName): boolean {
  return event === "before_stop" || event === "subagent_stop";
}

/** Subagents of one session stop each for themselves. */
function findGate(event: EventName, native: NativePayload): string {
  const agent = event === "subagent_stop" ? native.values.agentId : undefined;
  return typeof agent === "string" ? `${event}-${shortHash(agent)}` : event;
}
