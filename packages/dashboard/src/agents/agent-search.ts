import type { AgentSummary } from "@tenterhook/protocol/runs";

/** The agents for which every word of the search occurs in the name, description, type, tags or hooks. */
export function searchAgents(agents: readonly AgentSummary[], search: string): AgentSummary[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return agents.filter(({ name, description, type, tags, hooks }) => {
    const text = [name, description, type, ...tags, ...hooks].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
