import type { Approval, RunHookType } from "@tenterhook/protocol/runs";
import { durationText } from "../components/durations.ts";
import { HOOK_TYPE_LABELS } from "../components/hook-labels.ts";

/** When the hook asked: `before the run starts`, `before a tool call`. */
export function timingText({ hook_type }: Pick<Approval, "hook_type">): string {
  if (hook_type === "before_tool" || hook_type === "on_tool_call") return "before a tool call";
  return HOOK_TYPE_LABELS[hook_type as RunHookType] ?? hook_type;
}

/** The time left for a decision: `9 min 20 s left`. */
export function timeLeftText(expiresAt: string, now: number): string {
  const ms = Date.parse(expiresAt) - now;
  return ms < 1_000 ? "about to expire" : `${durationText(Math.floor(ms / 1_000) * 1_000)} left`;
}

/** The part of the subject to show first: the editable value if there is one, else the whole subject. */
export function subjectParts({ subject, editable }: Pick<Approval, "subject" | "editable">): {
  readonly title: string;
  readonly main: unknown;
  readonly tool: string | undefined;
} {
  const tool = typeof subject.tool_name === "string" ? subject.tool_name : undefined;
  const hasEditable = editable !== null && subject[editable] !== undefined;
  return hasEditable
    ? { title: editable, main: subject[editable], tool }
    : { title: "subject", main: subject, tool };
}

/** Who may not decide, of an approval that excludes its requester: `Not by the requester: ann`. */
export function exclusionText({
  not_by,
  requested_by,
}: Pick<Approval, "not_by" | "requested_by">): string | undefined {
  if (not_by === null) return undefined;
  return requested_by.length === 0
    ? "Not by the requester"
    : `Not by the requester: ${requested_by.join(", ")}`;
}

/** How an approval was decided: `approved with changes by ann`, `expired: no decision in time`. */
export function decisionText({ state, decision, decided_by }: Approval): string {
  const by = decided_by === null ? "" : ` by ${decided_by}`;
  switch (state) {
    case "pending":
      return "not decided yet";
    case "expired":
      return "expired: no decision in time";
    case "cancelled":
      return typeof decision?.reason === "string" ? `cancelled: ${decision.reason}` : "cancelled";
    case "approved":
      return decision?.type === "edit" ? `approved with changes${by}` : `approved${by}`;
    case "rejected":
      return typeof decision?.reason === "string" ? `rejected${by}: ${decision.reason}` : `rejected${by}`;
  }
}
