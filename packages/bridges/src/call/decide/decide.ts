import { basename } from "node:path";
import type { BridgeSession } from "../../session/bridge-session.ts";
import type { HookSet } from "../match/hook-set.ts";
import type { Matched } from "../match/match-hooks.ts";
import type { PlannedHook } from "../match/plan-file.ts";
import type { NativePayload } from "../read/native-call.ts";
import type { OpenCall } from "../read/open-call.ts";
import type { Translated } from "../translate/translate.ts";
import { type CallVerdict, PROCEED } from "./call-verdict.ts";
import type { Evaluation } from "./evaluate.ts";
import { evaluateInTime } from "./evaluate-in-time.ts";
import { gated, withStopFlag } from "./stop-gate.ts";

/** What was decided about a call. */
export interface Decided extends Evaluation {
  /** The verdict for the client, with all notes about it. */
  readonly complete: CallVerdict;
  /** Notes about hooks that may concern the call and were not asked. */
  readonly unasked: readonly string[];
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
  const evaluation = await withoutInteractiveStart(open, set, marked, asked);
  const verdict = gated(location.session, native, evaluation);
  const complete = {
    ...verdict,
    notes: [...new Set([...verdict.notes, ...unasked.notes]), ...notesForPerson(matched)],
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
