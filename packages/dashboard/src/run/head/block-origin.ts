import type { Approval, HookRecord, RunDetail } from "@tenterhook/protocol/runs";

/** Who did not let a run happen: a hook by itself, a person whom it asked, or nobody, in time. */
export interface BlockOrigin {
  readonly hook: HookRecord;
  readonly person?: Approval & { readonly decided_by: string };
  readonly expired?: Approval;
}

/** Finds who blocked a run; undefined when nobody did, or it is no longer known. */
export function blockOrigin({ block_reason, hooks, approvals }: RunDetail): BlockOrigin | undefined {
  if (block_reason === null) return undefined;
  // A blocked tool call is the agent's affair; it does not end a run.
  const hook = hooks.findLast(({ state, hook_type }) => state === "blocked" && hook_type !== "on_tool_call");
  if (hook === undefined) return undefined;
  const approval = approvals.findLast(({ hook_id }) => hook_id === hook.hook_id);
  if (approval?.state === "expired") return { hook, expired: approval };
  if (approval?.state !== "rejected") return { hook };
  return { hook, person: { ...approval, decided_by: approval.decided_by ?? "somebody" } };
}
