import { messageOf } from "@tenterhook/internal";
import { type CallVerdict, PROCEED } from "../decide/call-verdict.ts";
import type { Decided } from "../decide/decide.ts";
import type { EncodedCall } from "../encode/encode-call.ts";
import type { NativeAnswer } from "../encode/native-answer.ts";
import type { Matched } from "../match/match-hooks.ts";
import type { OpenCall } from "../read/open-call.ts";
import { logDecision } from "./decision-log.ts";
import { makeRecords } from "./decision-records.ts";
import { logUnasked } from "./log-unasked.ts";
import { startBackground } from "./start-background.ts";

/** Logs what was decided about a call and starts its background hooks. Returns the answer, with warnings of what could not be stored. */
export async function recordCall(
  open: OpenCall,
  { plan, reports }: Matched,
  decided: Decided,
  { encoded, unstored }: EncodedCall,
): Promise<NativeAnswer> {
  const { verdict, complete, event, steps } = decided;
  const warnings = [...decided.unasked, ...unstored];
  try {
    if (steps.length > 0 || verdict.type !== "proceed" || verdict.notes.length > 0) {
      const printed = [...reports.map(({ text }) => text), ...warnings];
      for (const record of makeRecords(open, decided, complete, encoded, printed))
        logDecision(open.location.state, record);
    }
    await startBackground(open, decided, plan);
  } catch (error) {
    // The verdict is final: a failure of the log or of background hooks does not change it.
    const note = `after the answer: ${messageOf(error)}`;
    warnings.push(note);
    const failed: CallVerdict = { ...PROCEED, notes: [note] };
    logUnasked(open, event, failed, { ...encoded, kind: "nothing", shortfalls: [] });
  }
  return withWarnings(encoded.answer, warnings);
}

/** A refusal gets no warnings: the model reads standard error, which has only the reason then. */
function withWarnings(answer: NativeAnswer, warnings: readonly string[]): NativeAnswer {
  if (warnings.length === 0 || answer.exit === 2) return answer;
  return { ...answer, stderr: `${answer.stderr}${warnings.map((text) => `tenterhook: ${text}\n`).join("")}` };
}
