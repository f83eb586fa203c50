import { WOULD_HAVE, type WouldHave } from "../would-have.ts";
import type { TallyOutcome } from "./hook-tallies.ts";

/** What is known of a call of a hook: of its entry in a trace, or of one in the audit trail. */
export interface TalliedCall {
  readonly verdict: string;
  readonly action?: string | undefined;
  /** Anything but `undefined`: it changed the value. */
  readonly changes?: unknown;
  /** Anything but `undefined`: it added context for the model. */
  readonly context?: unknown;
}

/** What a call of a hook amounted to. `undefined` when the hook was not called, and for a verdict that this version does not know. */
export function readTallyOutcome({
  verdict,
  action,
  changes,
  context,
}: TalliedCall): TallyOutcome | undefined {
  switch (verdict) {
    case "proceed":
      if (changes !== undefined) return "changed";
      return context === undefined ? "passed" : "added_context";
    case "block":
      if (action === "hold") return "kept_running";
      return action === "record" ? "objected_late" : "blocked";
    case "stop":
      return action === "record" ? "objected_late" : "stopped";
    case "ask":
      return "asked";
    case "skip":
      return "skipped";
    case "recover":
      return "recovered";
    case "started":
      return "started_in_background";
    case "failed":
      return "failed";
    default:
      return Object.hasOwn(WOULD_HAVE, verdict) ? (verdict as WouldHave) : undefined;
  }
}
