import type { AgentSummary } from "@tenterhook/protocol/runs";

/** An agent whose blueprint has a demo. */
export interface Demo {
  readonly agent: string;
  readonly title: string;
  readonly about: string;
  readonly parameters: Record<string, unknown>;
}

/** At most so many buttons. */
const MAX_DEMOS = 8;

/** The demos of the agents, the first saved first: that is the order of those that `tenterhook up` saves. */
export function findDemos(agents: readonly AgentSummary[]): readonly Demo[] {
  return agents
    .toSorted((one, other) => Date.parse(one.updated_at) - Date.parse(other.updated_at))
    .flatMap(({ name, description, demo }) =>
      demo === null ? [] : [{ agent: name, about: description, ...demo }],
    )
    .slice(0, MAX_DEMOS);
}
