import type { Approval, RunHookType } from "@tenterhook/protocol/runs";
import { durationText } from "../parts/durations.ts";
import { HOOK_TYPE_WORDS } from "../parts/hook-words.ts";

/** When the question came up: `before the run starts`, `before a tool call`. */
export function momentOf({ hook_type }: Pick<Approval, "hook_type">): string {
  if (hook_type === "before_tool" || hook_type === "on_tool_call") return "before a tool call";
  return HOOK_TYPE_WORDS[hook_type as RunHookType] ?? hook_type;
}

/** How long a person has: `9 min 20 s left`. */
export function timeLeftText(expiresAt: string, now: number): string {
  const ms = Date.parse(expiresAt) - now;
  return ms < 1_000 ? "about to expire" : `${durationText(Math.floor(ms / 1_000) * 1_000)} left`;
}

/** What is asked about, in the order in which one wants to read it: what can be edited before what is beside it. */
export function subjectParts({ subject, editable }: Pick<Approval, "subject" | "editable">): {
  readonly title: string;
  readonly main: unknown;
  readonly tool: string | undefined;
} {
  const tool = typeof subject.tool_name === "string" ? subject.tool_name : undefined;
  const isThere = editable !== null && subject[editable] !== undefined;
  return isThere
    ? { title: editable, main: subject[editable], tool }
    : { title: "subject", main: subject, tool };
}

/** What became of a question: `approved with changes by ann`, `expired: nobody decided in time`. */
export function outcomeText({ state, decision, decided_by }: Approval): string {
  const by = decided_by === null ? "" : ` by ${decided_by}`;
  switch (state) {
    case "pending":
      return "not decided yet";
    case "expired":
      return "expired: nobody decided in time";
    case "cancelled":
      return typeof decision?.reason === "string" ? `cancelled: ${decision.reason}` : "cancelled";
    case "approved":
      return decision?.type === "edit" ? `approved with changes${by}` : `approved${by}`;
    case "rejected":
      return typeof decision?.reason === "string" ? `rejected${by}: ${decision.reason}` : `rejected${by}`;
  }
}
