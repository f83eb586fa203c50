import type { PendingVerdicts } from "../session/pending-verdicts.ts";
import { awaitVerdicts } from "./decide/awaited-verdicts.ts";
import { encodeFor } from "./encode/encode-for.ts";
import { type NativeAnswer, NOTHING } from "./encode/native-answer.ts";
import type { Plan } from "./match/plan-file.ts";
import type { OpenCall } from "./read/open-call.ts";
import { logUnasked } from "./record/log-unasked.ts";

/** Waits for verdicts that the client has not waited for. Returns an answer where one of them stays unknown and must not. */
export async function answerUnknown(
  open: OpenCall,
  verdicts: PendingVerdicts,
  plan: Plan | undefined,
  answer: (open: OpenCall) => Promise<NativeAnswer>,
): Promise<NativeAnswer | undefined> {
  const unknown = await awaitVerdicts(open, verdicts, plan, answer);
  if (unknown === undefined) return undefined;
  const { verdict, event, refusal } = unknown;
  const { session } = open.location;
  const refused = open.native.event.events.find((name) => name === "before_tool" || name === "before_agent");
  if (verdict.type === "proceed") {
    // The answer to the call itself shows them.
    for (const note of verdict.notes) if (session.isNewNote(note)) session.keepNote(note, "notes-unseen");
    logUnasked(open, refused ?? event, verdict, { answer: NOTHING, kind: "nothing", shortfalls: [] });
    return undefined;
  }
  const encoded = encodeFor(open, verdict, refused);
  logUnasked(open, refused ?? event, verdict, encoded);
  if (refusal !== undefined) session.refuse(refusal);
  return encoded.answer;
}
