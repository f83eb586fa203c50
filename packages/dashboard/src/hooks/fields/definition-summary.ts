import { DEFAULT_HOOK_SECONDS, type RunHookDefinition } from "@tenterhook/protocol/runs";

/** A definition in one sentence. */
export function definitionSummary(definition: RunHookDefinition): string {
  const target = definition.type === "agent" ? `the agent ${definition.agent_name}` : definition.url;
  const onFailure = definition.on_error === "block" ? "blocks on failure" : "continues on failure";
  return `Calls ${target}, ${onFailure}, timeout ${definition.timeout_seconds ?? DEFAULT_HOOK_SECONDS} s.`;
}
