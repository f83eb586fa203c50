import { join } from "node:path";
import { readPlainFile } from "@tenterhook/internal/files";
import { encodeFor } from "../encode/encode-for.ts";
import type { NativeAnswer } from "../encode/native-answer.ts";
import type { OpenCall } from "../read/open-call.ts";
import type { DecisionRecord } from "./decision-log.ts";

/** The answer to a call of doctor: the refusal of its hook, and otherwise a refusal that says that the hook did not refuse. */
export function refusedProbe(open: OpenCall, answer: NativeAnswer): NativeAnswer {
  if (isRefused(open.location.state)) return answer;
  const reason = "the hook of tenterhook doctor did not refuse this call, which it always does";
  const [event] = open.native.event.events;
  return encodeFor(open, { type: "block", reason, context: [], notes: [] }, event).answer;
}

function isRefused(state: string): boolean {
  try {
    const record = JSON.parse(readPlainFile(join(state, "audit.jsonl"))) as DecisionRecord;
    return record.reported === "block";
  } catch {
    return false;
  }
}
