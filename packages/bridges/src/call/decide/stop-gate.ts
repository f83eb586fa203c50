import type { EventName } from "@tenterhook/protocol";
import type { BridgeSession } from "../../session/bridge-session.ts";
import { shortHash } from "../../session/short-hash.ts";
import { field, type NativePayload } from "../read/native-call.ts";
import type { Normalised } from "../translate/steps.ts";
import type { Judged } from "./judge.ts";
import type { Additions, Verdict } from "./verdict.ts";

/** How often hooks may hold an agent before it is released. */
const MAX_HOLDS = 3;

/** Sets `stopHookActive` for stop gates that held the agent before. The bridge counts: the flags of some clients are wrong. */
export function withHoldFlag(
  session: BridgeSession,
  native: NativePayload,
  normalised: Normalised,
): Normalised {
  if (!normalised.steps.some(({ event }) => isStop(event))) return normalised;
  const steps = normalised.steps.map((step) => {
    if (!isStop(step.event)) return step;
    const stopHookActive = session.holds(gateOf(step.event, native)) > 0;
    return { ...step, payload: { ...step.payload, stopHookActive } as never };
  });
  return { ...normalised, steps };
}

/** The verdict, unless the agent has been held too often and must be allowed to stop, which a note reports. */
export function gated(session: BridgeSession, native: NativePayload, { verdict, event }: Judged): Verdict {
  if (!isStop(event)) return verdict;
  const gate = gateOf(event, native);
  const held = session.holds(gate);
  if (verdict.type !== "block") {
    if (held > 0) session.clearHolds(gate);
    return verdict;
  }
  if (held < Math.min(native.event.holdLimit ?? MAX_HOLDS, MAX_HOLDS)) {
    const isKept = session.addHold(gate, verdict.reason) !== undefined;
    // If the count cannot be stored, an agent could be held for ever; then the client's flag decides.
    if (isKept || field(native, "stopHookActive") === false) return verdict;
    return released(
      verdict,
      "and how often it was held cannot be counted: the state folder cannot be written to",
    );
  }
  session.clearHolds(gate);
  return released(verdict, `which held it ${held} times`);
}

function released({ reason, context, notes }: Additions & { readonly reason: string }, why: string): Verdict {
  const note = `it stops without satisfying its gate, ${why}: ${reason}`;
  return { type: "proceed", context, notes: [...notes, note] };
}

function isStop(event: EventName): boolean {
  return event === "before_stop" || event === "subagent_stop";
}

/** Subagents of one session stop each for themselves. */
function gateOf(event: EventName, native: NativePayload): string {
  const agent = event === "subagent_stop" ? field(native, "agentId") : undefined;
  return typeof agent === "string" ? `${event}-${shortHash(agent)}` : event;
}
