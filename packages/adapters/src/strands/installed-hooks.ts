import type { LocalAgent } from "@strands-agents/sdk";
import type { Hooks } from "@tenterhook/engine";

/** The sets of hooks that are installed on an agent. */
const installed = new WeakMap<LocalAgent, Set<Hooks>>();

export function isHookedWith(agent: LocalAgent, hooks: Hooks): boolean {
  return installed.get(agent)?.has(hooks) ?? false;
}

/** Records that a set is installed; returns the function that removes the record. */
export function recordHooks(agent: LocalAgent, hooks: Hooks): () => void {
  const sets = installed.get(agent) ?? new Set();
  installed.set(agent, sets.add(hooks));
  return () => void sets.delete(hooks);
}
