import type { EventName } from "@tenterhook/protocol";
import type { CallVerdict } from "../decide/call-verdict.ts";
import type { Encoded } from "../encode/encode.ts";
import type { OpenCall } from "../read/open-call.ts";
import { logDecision } from "./decision-log.ts";
import { makeRecords } from "./decision-records.ts";

/** Logs a decision for which no hook was called. */
export function logUnasked(open: OpenCall, event: EventName, verdict: CallVerdict, encoded: Encoded): void {
  for (const record of makeRecords(open, { verdict, event, steps: [] }, verdict, encoded, []))
    logDecision(open.location.state, record);
}
