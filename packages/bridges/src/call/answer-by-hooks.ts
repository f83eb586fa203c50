import { removeTemporary } from "@tenterhook/file-hooks/run";
import { PROCEED } from "./decide/call-verdict.ts";
import { type Decided, decide, notesForPerson } from "./decide/decide.ts";
import { type NativeAnswer, NOTHING } from "./encode/encode.ts";
import { encodeCall, encodeFor } from "./encode/encode-call.ts";
import { type Matched, matchHooks } from "./match/match-hooks.ts";
import type { Plan } from "./match/plan-file.ts";
import type { OpenCall } from "./read/read-call.ts";
import { recordCall, runInJob } from "./record/record-call.ts";
import type { Translated } from "./translate/translate.ts";

/** Asks the hooks about a call and encodes the verdict for the client. An exception is answered by the hooks' `on_error`. */
export async function answerByHooks(
  open: OpenCall,
  translated: Translated,
  plan: Plan | undefined,
): Promise<NativeAnswer> {
  try {
    return await askHooks(open, translated, plan);
  } finally {
    removeTemporary(open.call.env);
  }
}

async function askHooks(
  open: OpenCall,
  translated: Translated,
  plan: Plan | undefined,
): Promise<NativeAnswer> {
  const matched = await matchHooks(open, translated, plan);
  if (matched.isTaken) return NOTHING;
  // A client that ends does not wait, and ends the processes that it has started.
  const isEnd = translated.steps.every(({ event }) => event === "session_end");
  if (isEnd && (await runInJob(open, matched.plan, translated.steps)))
    return encodeFor(open, { ...PROCEED, notes: notesForPerson(matched) }, "session_end").answer;
  const evaluated = await decide(open, translated, matched);
  const decided =
    evaluated.complete.type === "ask" ? await withAllowance(open, matched, evaluated) : evaluated;
  const encodedCall = encodeCall(open, decided);
  return recordCall(open, matched, decided, encodedCall);
}

async function withAllowance(open: OpenCall, matched: Matched, decided: Decided): Promise<Decided> {
  const { allowOnce } = await import("./allow-once.ts");
  return allowOnce(open, matched, decided);
}
