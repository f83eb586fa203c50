import type { EventName } from "@tenterhook/protocol";
import type { CallVerdict } from "./decide/call-verdict.ts";
import { encodeFor } from "./encode/encode-for.ts";
import type { NativeAnswer } from "./encode/native-answer.ts";
import type { OpenCall } from "./read/open-call.ts";
import { logUnasked } from "./record/log-unasked.ts";

/** Refuses a call because an earlier event was refused. */
export function answerRefused(open: OpenCall, event: EventName, reason: string): NativeAnswer {
  const verdict: CallVerdict = { type: "block", reason, context: [], notes: [] };
  const encoded = encodeFor(open, verdict, event);
  logUnasked(open, event, verdict, encoded);
  return encoded.answer;
}
