import type { Approval, HookRecord, RunDetail } from "@tenterhook/protocol/runs";

/** What blocked a run: a hook, the user who rejected its approval, or an approval that expired. */
export interface BlockOrigin {
  readonly hook: HookRecord;
  readonly person?: Approval & { readonly decided_by: string };
  readonly expired?: Approval;
}

/** Finds what blocked a run; undefined when it was not blocked, or the hook is no longer known. */
export function blockOrigin({ block_reason, hooks, approvals }: RunDetail): BlockOrigin | undefined {
  if (block_reason === null) return undefined;
  // A blocked tool call does not end the run.
  const hook = hooks.findLast(({ state, hook_type }) => state === "blocked" && hook_type !== "on_tool_call");
  if (hook === undefined) return undefined;
  const approval = approvals.findLast(({ hook_id }) => hook_id === hook.hook_id);
  if (approval?.state === "expired") return { hook, expired: approval };
  if (approval?.state !== "rejected") return { hook };
  return { hook, person: { ...approval, decided_by: approval.decided_by ?? "an approver" } };
}
