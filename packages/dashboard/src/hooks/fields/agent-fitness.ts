import { type HookAgents, RUN_HOOK_TYPES, type RunHookType } from "@tenterhook/protocol/runs";

/** An agent that may or may not carry out a hook. */
export interface Candidate {
  readonly name: string;
  readonly description: string;
  /** Why it cannot; `null` when it can. */
  readonly problem: string | null;
}

/** The agents for a hook of one type. An agent that has this very hook cannot serve it, unless it is the next of a chain. */
export function candidates(
  { agents }: HookAgents,
  own: { readonly name: string; readonly isChained: boolean } | undefined,
): Candidate[] {
  return agents.map(({ name, description, problem }) => ({
    name,
    description,
    problem:
      own !== undefined && name === own.name && !own.isChained
        ? "an agent cannot carry out a hook of its own"
        : problem,
  }));
}

/** The agents for a hook that has a name: whoever can serve some type, with the types that they can serve. */
export function candidatesForAny(answers: ReadonlyMap<RunHookType, HookAgents>): Candidate[] {
  const byName = new Map<string, { types: RunHookType[]; problem: string | null }>();
  for (const type of RUN_HOOK_TYPES) {
    for (const { name, fits, problem } of answers.get(type)?.agents ?? []) {
      const known = byName.get(name) ?? { types: [], problem };
      if (fits) known.types.push(type);
      byName.set(name, known);
    }
  }
  return [...byName].map(([name, { types, problem }]) => ({
    name,
    description:
      types.length === RUN_HOOK_TYPES.length ? "for hooks of every type" : `for ${types.join(", ")}`,
    problem: types.length > 0 ? null : problem,
  }));
}
