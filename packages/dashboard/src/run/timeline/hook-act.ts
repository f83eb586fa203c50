import { ownField } from "@tenterhook/internal";
import { ACTIONS, type Action, EVENTS, type EventName } from "@tenterhook/protocol";
import { formatVerdict } from "@tenterhook/protocol/internal";
import type { KnownRunEvent } from "@tenterhook/protocol/runs";
import type { HookAct, RowState } from "./timeline-row.ts";

/** The act that a `hook_acted` event reports. */
export function hookAct(acted: KnownRunEvent<"hook_acted">): HookAct {
  const { hook, event, action, reason, changed = [], failed = false, not_enforced: notEnforced } = acted;
  return { hook, event, action, reason, changed, failed, notEnforced };
}

const ROW_STATES: Readonly<Record<string, RowState>> = {
  refuse: "blocked",
  hold: "blocked",
  skip: "skipped",
  release: "failed",
  fail: "failed",
  raise: "failed",
  stop: "stopped",
};

/** The state of an act's row. */
export function stateOfAct({ action, failed }: HookAct): RowState {
  return failed ? "failed" : (ownField(ROW_STATES, action) ?? "done");
}

/** What the hook did, as a sentence without its subject: `refused the tool call: too dangerous`. */
export function actText({ event, action, failed, changed, reason, notEnforced }: HookAct): string {
  const did = failed
    ? "failed"
    : notEnforced !== undefined
      ? wouldHaveText(notEnforced, changed)
      : changed.length > 0
        ? `changed ${changed.join(", ")}`
        : didText(event, action);
  return reason === undefined ? did : `${did}: ${reason}`;
}

/** `would have changed toolInput (not enforced)` */
function wouldHaveText(notEnforced: string, changed: readonly string[]): string {
  return `${[formatVerdict(notEnforced), changed.join(", ")].filter(Boolean).join(" ")} (not enforced)`;
}

/** A newer runner may report events and actions that this version does not know. */
function didText(event: string, action: string): string {
  const subject = Object.hasOwn(EVENTS, event) ? EVENTS[event as EventName].subject : event;
  return Object.hasOwn(ACTIONS, action) ? ACTIONS[action as Action].did(subject) : action;
}
