import type { Queries, Statement } from "../database/database.ts";

/** The hooks of a kind and a name that wait to be called, or to become a run. */
export interface HookQueue {
  /** `awaited`: http hooks that runs wait for; `unawaited`: other http hooks; `agent`: hooks that become runs. */
  readonly kind: "awaited" | "unawaited" | "agent";
  readonly hook_type: string;
  /** Of the named definition, or `""`. */
  readonly name: string;
  readonly count: number;
  readonly oldest_seconds: number;
}

const QUEUE: Statement = {
  name: "hook-queue",
  text: `
    SELECT CASE WHEN target = '' THEN 'agent' WHEN mode = 'sync' THEN 'awaited' ELSE 'unawaited' END AS kind,
      hook_type, coalesce(name, '') AS name, count(*)::int AS count,
      greatest(0, extract(epoch FROM now() - min(created_at)))::float8 AS oldest_seconds
    FROM run_hooks WHERE state = 'pending'
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
};

export function readHookQueue(queries: Queries): Promise<readonly HookQueue[]> {
  return queries.run<HookQueue>(QUEUE);
}
