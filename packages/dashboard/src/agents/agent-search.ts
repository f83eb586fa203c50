import type { AgentSummary } from "@tenterhook/protocol/runs";

/** The agents in whose name, description, type, tags or hooks every word is found. */
export function searchAgents(agents: readonly AgentSummary[], search: string): AgentSummary[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return agents.filter(({ name, description, type, tags, hooks }) => {
    const text = [name, description, type, ...tags, ...hooks].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
