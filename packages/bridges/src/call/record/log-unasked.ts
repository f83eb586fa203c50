import type { EventName } from "@tenterhook/protocol";
import type { Verdict } from "../decide/verdict.ts";
import type { Lowered } from "../encode/lower.ts";
import type { OpenCall } from "../read/open-call.ts";
import { logDecision } from "./decision-log.ts";
import { recordsOf } from "./record.ts";

/** Logs a decision for which no hook was called. */
export function logUnasked(open: OpenCall, event: EventName, verdict: Verdict, lowered: Lowered): void {
  for (const record of recordsOf(open, { verdict, event, steps: [] }, verdict, lowered, []))
    logDecision(open.location.state, record);
}
