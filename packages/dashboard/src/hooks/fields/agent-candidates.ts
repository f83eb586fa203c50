import { type HookAgents, RUN_HOOK_TYPES, type RunHookType } from "@tenterhook/protocol/runs";

/** An agent that may be the target of a hook. */
export interface Candidate {
  readonly name: string;
  readonly description: string;
  /** Why it cannot be used; `null` when it can. */
  readonly problem: string | null;
}

/** The candidates for a hook of one type. An agent cannot be the target of its own hook, unless the hook is chained. */
export function candidates(
  { agents }: HookAgents,
  own: { readonly name: string; readonly isChained: boolean } | undefined,
): Candidate[] {
  return agents.map(({ name, description, problem }) => ({
    name,
    description,
    problem:
      own !== undefined && name === own.name && !own.isChained ? "an agent cannot run its own hook" : problem,
  }));
}

/** The candidates for a named hook: agents that fit at least one type, with the types they fit. */
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
