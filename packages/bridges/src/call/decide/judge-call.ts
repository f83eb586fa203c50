import { formatFinding, type Locations } from "@tenterhook/file-hooks";
import { removeTemporary } from "@tenterhook/file-hooks/run";
import { messageOf } from "@tenterhook/internal";
import type { Lowered, NativeAnswer } from "../encode/lower.ts";
import { lowerFor } from "../encode/lower-for.ts";
import { guardsOf, updateGuards } from "../match/guards.ts";
import { HookSet, mustBlock } from "../match/hook-set.ts";
import { recordKnownGuards, restoreKnownGuards } from "../match/known-guards.ts";
import { keepPlan, type Plan, type PlannedHook, planOf, signaturesFor } from "../match/plan-file.ts";
import { deadlineOf, timeLeft } from "../read/deadline.ts";
import { field } from "../read/native-call.ts";
import { NOTHING, type OpenCall } from "../read/open-call.ts";
import { logDecision } from "../record/decision-log.ts";
import { logUnasked } from "../record/log-unasked.ts";
import { recordsOf } from "../record/record.ts";
import { runInJob, startBackground } from "../record/start.ts";
import type { Input } from "../translate/canonical-call.ts";
import type { Normalised } from "../translate/steps.ts";
import { withBlockedStatus } from "./blocked-status.ts";
import { onErrorVerdict } from "./broken.ts";
import { inTime } from "./in-time.ts";
import { type Judged, judge } from "./judge.ts";
import { gated, withHoldFlag } from "./stop-gate.ts";
import { PROCEED, type Verdict } from "./verdict.ts";

/** Asks the hooks about a call and translates the verdict for the client. An exception is answered by the hooks' `on_error`. */
export async function judgeCall(
  open: OpenCall,
  normalised: Normalised,
  kept: Plan | undefined,
): Promise<NativeAnswer> {
  try {
    return await askHooks(open, normalised, kept);
  } finally {
    removeTemporary(open.call.env);
  }
}

async function askHooks(
  open: OpenCall,
  normalised: Normalised,
  kept: Plan | undefined,
): Promise<NativeAnswer> {
  const { call, native, location } = open;
  const notes: string[] = [];
  const report = (message: string) => void (location.session.isNewNotice(message) && notes.push(message));
  const set = new HookSet({
    folders: location.folders,
    env: call.env,
    guardProcesses: call.waitingProcess !== undefined,
    mode: "sync",
    report,
  });
  const { hooks: plan, findings } = kept ?? (await makePlan(open, set));
  location.session.reportOnce(findings, report);
  const active = normalised.steps.flatMap(({ event }) => plan[event] ?? []);
  if (active.length > 0 && !claim(open, normalised)) return NOTHING;

  // A client that ends does not wait, and ends the processes that it has started.
  const isEnd = normalised.steps.every(({ event }) => event === "session_end");
  if (isEnd && (await runInJob(open, plan, normalised.steps)))
    return lowerFor(open, { ...PROCEED, notes: fileFindings(notes) }, "session_end").answer;

  const steps = withBlockedStatus(
    location.session,
    native,
    withHoldFlag(location.session, native, normalised),
  );
  const unasked = await verdictOfUnasked(open, set, normalised, active);
  const asked =
    active.length === 0 || unasked.type !== "proceed"
      ? withoutHooks(normalised, unasked)
      : await judgeInTime(open, set, steps, active);
  const judged = await withoutInteractiveStart(open, set, steps.steps, asked);
  const verdict = gated(location.session, native, judged);
  const waiting = native.event.powers.context === undefined ? [] : location.session.takeContext();
  const whole = {
    ...verdict,
    context: [...waiting, ...verdict.context],
    notes: [...new Set([...verdict.notes, ...unasked.notes]), ...fileFindings(notes)],
  };
  const first = lowerFor(open, whole, judged.event);
  const unstored = updateSession(open, first, judged);
  // What could not be stored is for the person too.
  const told = [...(first.shownNotes ?? []), ...unstored];
  const lowered = unstored.length === 0 ? first : lowerFor(open, { ...whole, notes: told }, judged.event);
  const unsaved = [...unasked.notes, ...unstored];
  try {
    if (judged.steps.length > 0 || verdict.type !== "proceed" || verdict.notes.length > 0)
      for (const record of recordsOf(open, judged, whole, lowered, [...notes, ...unsaved]))
        logDecision(location.state, record);
    call.signal?.throwIfAborted();
    await startBackground(open, { plan, judged, verdict });
  } catch (error) {
    call.signal?.throwIfAborted();
    // The verdict is final: a failure of the log or of background hooks does not change it.
    const note = `after the answer: ${messageOf(error)}`;
    unsaved.push(note);
    const verdict: Verdict = { ...PROCEED, notes: [note] };
    logUnasked(open, judged.event, verdict, { ...lowered, kind: "nothing", shortfalls: [] });
  }
  return withWarnings(lowered.answer, unsaved);
}

/** The verdict about hooks that may concern the call and are not asked. */
async function verdictOfUnasked(
  open: OpenCall,
  { trustProblem }: HookSet,
  normalised: Normalised,
  active: readonly PlannedHook[],
): Promise<Verdict> {
  if (trustProblem === undefined && !open.location.isStartUnknown) return PROCEED;
  const { verdictOfUnasked, verdictOfUnknownTrust } = await import("./unasked-hooks.ts");
  return trustProblem === undefined
    ? verdictOfUnasked(open, normalised)
    : verdictOfUnknownTrust(open, normalised, active, trustProblem);
}

async function withoutInteractiveStart(
  { native: { client } }: OpenCall,
  set: HookSet,
  steps: Normalised["steps"],
  judged: Judged,
): Promise<Judged> {
  if (client.unseenInput === undefined) return judged;
  const { refuseInteractiveStart } = await import("./interactive-start.ts");
  return refuseInteractiveStart(client, set, steps, judged);
}

/** A refusal gets no warnings: the model reads standard error, which has only the reason then. */
function withWarnings(answer: NativeAnswer, warnings: readonly string[]): NativeAnswer {
  if (warnings.length === 0 || answer.exit === 2) return answer;
  return { ...answer, stderr: `${answer.stderr}${warnings.map((each) => `tenterhook: ${each}\n`).join("")}` };
}

function withoutHooks({ steps }: Normalised, verdict: Verdict): Judged {
  return { verdict, event: steps[0]?.event ?? "on_error", steps: [] };
}

/** The notes for the person: problems of hook files. What hooks print is for the log only. */
function fileFindings(notes: readonly string[]): readonly string[] {
  return notes.filter((note) =>
    /(?:HOOK\.md|hooks\.toml|known-guards\.json|trust\.json)(?::\d+)?: (?:error|warning): /.test(note),
  );
}

/** Judges within the time that the client gives; when that runs out, the hooks' `on_error` decides. */
function judgeInTime(
  { call, native, location: { session } }: OpenCall,
  set: HookSet,
  normalised: Normalised,
  active: readonly PlannedHook[],
): Promise<Judged> {
  const input = field(native, "toolInput") as Input | undefined;
  const first = normalised.steps[0]?.event ?? "on_error";
  const deadlineMs = deadlineOf(native.client, native.event, call.timeoutMs);
  return inTime(
    timeLeft(deadlineMs, call.waitingSince),
    (signal) =>
      judge(set, normalised, {
        signal,
        ...(input !== undefined && { input }),
        text: native.text,
        // A hook that is untrusted, perhaps untrusted or gone is logged once per session.
        note: ({ code, message }) =>
          (code === "hook_untrusted" || code === "hook_gone" || code === "trust_unknown") &&
          !session.isNewNotice(message)
            ? undefined
            : message,
      }),
    () => {
      const why = `the hooks did not answer within ${deadlineMs / 1_000} s`;
      const guards = active.filter((hook) => hook.mustBlock).map(({ name }) => name);
      return { verdict: onErrorVerdict(first, guards, why), event: first, steps: [] };
    },
    call.signal,
  );
}

/** Takes the event for this process; false when another entry of the client's configuration has judged it. */
function claim({ call, native, location: { session } }: OpenCall, { steps }: Normalised): boolean {
  const event = steps[0]?.event;
  const { timestamp: _, ...payload } = native.payload;
  const what = event?.includes("_tool")
    ? (["toolUseId", "toolName", "toolInput"] as const).map((name) => field(native, name))
    : [payload];
  return session.claim(JSON.stringify([event, ...what]), call.entry ?? call.client);
}

/** Reads all hooks, and stores the plan and the guards for the next process. */
async function makePlan({ location }: OpenCall, set: HookSet): Promise<Plan> {
  const { locations, state } = location;
  const restored = await restoreKnownGuards(state, userRoot(locations));
  const signatures = signaturesFor(locations);
  const all = await set.active();
  const plan: Plan = {
    hooks: planOf(all, mustBlock),
    findings: [...restored.map(formatFinding), ...(await set.findings())],
  };
  const projects = locations.flatMap(({ project }) => project ?? []);
  const isRecorded = await recordKnownGuards(state, userRoot(locations), all);
  // What is not known to be trusted is not known to be untrusted either: the lines of projects stay as they are.
  const isTrustKnown = set.trustProblem === undefined;
  const isUpdated = isTrustKnown
    ? await updateGuards(state, projects, guardsOf(all))
    : await updateGuards(state, [], guardsOf(all.filter(({ scope }) => scope === "user")));
  // With a plan, the next process would not write the guards.
  if (isUpdated && isRecorded && isTrustKnown) keepPlan(locations, plan, signatures);
  return plan;
}

/** All folders of a call share the user's hooks. */
function userRoot([first]: readonly Locations[]): string {
  return first?.userHooks ?? "";
}

/** Stores what later calls must know, and returns what could not be stored. */
function updateSession(
  { native, location: { session, state } }: OpenCall,
  lowered: Lowered,
  { event }: Judged,
): string[] {
  const { refusal, keptContext = [], keptNotes = [], kind } = lowered;
  const id = field(native, "toolUseId");
  if (kind === "block" && event === "before_tool" && typeof id === "string") session.recordBlocked(id);
  const unsaved: string[] = [];
  if (refusal !== undefined && !session.refuse(refusal)) {
    const why =
      native.sessionId === "" ? `${native.client.name} named no session` : `${state} cannot be written to`;
    unsaved.push(`${why}, so what follows is not refused: ${refusal.reason}`);
  }
  if (!keptContext.every((text) => session.keepContext(text)))
    unsaved.push(`${state} cannot be written to, so what hooks added for the model is lost`);
  unsaved.push(...keptNotes);
  return unsaved;
}
