import type { EventName } from "@tenterhook/protocol";
import type { BridgeSession } from "../../session/bridge-session.ts";
import { shortHash } from "../../session/session-files.ts";
import type { NativePayload } from "../read/native-call.ts";
import type { Translated } from "../translate/translate.ts";
import type { Additions, CallVerdict } from "./call-verdict.ts";
import type { Evaluation } from "./evaluate.ts";

/** How often hooks may keep an agent running before it may stop. */
const MAX_TIMES = 3;

/** Sets `stopHookActive` for stop gates that kept the agent running before. The bridge counts: the flags of some clients are wrong. */
export function withStopFlag(
  session: BridgeSession,
  native: NativePayload,
  translated: Translated,
): Translated {
  if (!translated.steps.some(({ event }) => isStop(event))) return translated;
  const steps = translated.steps.map((step) => {
    if (!isStop(step.event)) return step;
    const stopHookActive = session.timesKeptRunning(findGate(step.event, native)) > 0;
    return { ...step, payload: { ...step.payload, stopHookActive } as never };
  });
  return { ...translated, steps };
}

/** The verdict, unless the agent was kept running too often and must be allowed to stop, which a note reports. */
export function gated(
  session: BridgeSession,
  native: NativePayload,
  { verdict, event }: Evaluation,
): CallVerdict {
  if (!isStop(event)) return verdict;
  const gate = findGate(event, native);
  const times = session.timesKeptRunning(gate);
  if (verdict.type !== "block") {
    if (times > 0) session.clearKeptRunning(gate);
    return verdict;
  }
  if (times < Math.min(native.event.stopLimit ?? MAX_TIMES, MAX_TIMES)) {
    const isKept = session.addKeptRunning(gate, verdict.reason) !== undefined;
    // If the count cannot be stored, an agent could be kept running forever; then the client's flag decides.
    if (isKept || native.values.stopHookActive === false) return verdict;
    return released(
      verdict,
      "and how often it was kept running cannot be counted: the state folder cannot be written to",
    );
  }
  session.clearKeptRunning(gate);
  return released(verdict, `which kept it running ${times} times`);
}

function released(
  { reason, context, notes }: Additions & { readonly reason: string },
  why: string,
): CallVerdict {
  const note = `it stops without satisfying its gate, ${why}: ${reason}`;
  return { type: "proceed", context, notes: [...notes, note] };
}

function isStop(event: EventName): boolean {
  return event === "before_stop" || event === "subagent_stop";
}

/** Subagents of one session stop each for themselves. */
function findGate(event: EventName, native: NativePayload): string {
  const agent = event === "subagent_stop" ? native.values.agentId : undefined;
  return typeof agent === "string" ? `${event}-${shortHash(agent)}` : event;
}
