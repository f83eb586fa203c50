import { DEFAULT_HOOK_SECONDS, type RunHookDefinition } from "@tenterhook/protocol/runs";

/** A hook in a sentence. */
export function definitionWords(definition: RunHookDefinition): string {
  const whom = definition.type === "agent" ? `the agent ${definition.agent_name}` : definition.url;
  const failing = definition.on_error === "block" ? "blocks when it fails" : "goes on when it fails";
  return `Asks ${whom}, ${failing}, ${definition.timeout_seconds ?? DEFAULT_HOOK_SECONDS} s at most.`;
}
