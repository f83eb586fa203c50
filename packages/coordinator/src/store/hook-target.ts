import type { RunEventData, RunHookDefinition } from "@tenterhook/protocol/runs";
import type { HookRow } from "./rows.ts";

/** What executes a hook: an agent's name, or the origin of a URL. The rest of a URL may be a secret, and events are stored. */
export function targetName(definition: RunHookDefinition): string {
  return definition.type === "agent" ? definition.agent_name : new URL(definition.url).origin;
}

/** SQL for the target of a pinned definition. Those of an older version have none: each URL is a target then. */
export function targetOf(definition: string): string {
  return `coalesce(${definition}->>'target', ${definition}->>'url', '')`;
}

/** The fields that every event about a hook has. */
export function hookFacts(hook: HookRow): RunEventData<"hook_start"> {
  const { hook_type, definition, name, id, child_run_id } = hook;
  return {
    hook_type,
    target_type: definition.type,
    target_name: targetName(definition),
    ...(name !== null && { hook_name: name }),
    hook_id: id,
    ...(child_run_id !== null && { child_run_id }),
  };
}

/** How long a call of a hook took that ends now. */
export function callDurationMs({ started_at, created_at }: HookRow): number {
  return Math.max(0, Date.now() - Date.parse(started_at ?? created_at));
}
