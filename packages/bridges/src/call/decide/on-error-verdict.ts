import { type EventName, eventRow } from "@tenterhook/protocol";
import type { CallVerdict } from "./call-verdict.ts";

/** The verdict about a call that could not be checked: the guards with `on_error: block` block it. */
export function onErrorVerdict(event: EventName, guards: readonly string[], why: string): CallVerdict {
  const note = `this was not checked: ${why}`;
  if (guards.length === 0 || eventRow(event).failure.action !== "refuse")
    return { type: "proceed", context: [], notes: [note] };
  const names = guards.join(", ");
  return {
    type: "block",
    reason: `${note}; ${names} must not be passed over`,
    by: names,
    context: [],
    notes: [],
  };
}
