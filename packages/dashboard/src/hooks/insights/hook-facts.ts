import type { Insights } from "@tenterhook/protocol/runs";

/** What a hook did in a period, as sentences about it need it. */
export interface HookFacts {
  readonly calls: number;
  readonly passed: number;
  readonly failed: number;
  /** How many calls were measured, and the estimate of how long 95 % of them took at most. */
  readonly measured: number;
  readonly p95Ms: number | null;
  /** The time of its calls together. */
  readonly hookMs: number;
  /** The time of the runs of the agents that it was called for, with its own calls before and after them; an estimate. */
  readonly runMs: number;
}

/** Reads the insights of one hook. */
export function readHookFacts({ current, hooks, agents, decisions_by_agent }: Insights): HookFacts {
  const { decisions, hook_duration, hook_ms } = current;
  const callers = new Set(decisions_by_agent.map(({ agent }) => agent));
  return {
    calls: add(Object.values(decisions)),
    passed: decisions.passed ?? 0,
    failed: decisions.failed ?? 0,
    measured: hook_duration.count,
    p95Ms: hook_duration.p95_ms,
    hookMs: hook_ms,
    runMs: add([
      ...agents.filter(({ agent }) => callers.has(agent)).map(({ duration_ms }) => duration_ms),
      ...hooks.filter(isOutsideOfRun).map(({ duration_ms }) => duration_ms),
    ]),
  };
}

/** A run starts after its start hook, and ends before the hooks that are told of its end. */
function isOutsideOfRun({ event }: Insights["hooks"][number]): boolean {
  return event.startsWith("on_run_") || event === "on_timeout";
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
