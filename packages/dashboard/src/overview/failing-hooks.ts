import type { Insights } from "@tenterhook/protocol/runs";

/** A hook that failed in a period. */
export interface FailingHook {
  /** As `named:curfew`; undefined for a hook of a blueprint, which is known by its agent. */
  readonly key: string | undefined;
  readonly name: string;
  readonly event: string;
  readonly failed: number;
  readonly calls: number;
  /** Its most frequent failure, with a run in which it happened. */
  readonly reason: string | undefined;
  readonly exampleRun: string | undefined;
}

/** The hooks that failed, the worst first. */
export function findFailingHooks({
  hooks,
  reasons,
}: Pick<Insights, "hooks" | "reasons">): readonly FailingHook[] {
  return hooks
    .map(({ hook, kind, event, calls, decisions }) => {
      const why = reasons.find(
        (each) =>
          each.outcome === "failed" && each.hook === hook && each.kind === kind && each.event === event,
      );
      return {
        key: kind === "inline" ? undefined : `${kind}:${hook}`,
        ...{ name: hook, event, calls, failed: decisions.failed ?? 0 },
        ...{ reason: why?.reason || undefined, exampleRun: why?.example_runs[0] },
      };
    })
    .filter(({ failed }) => failed > 0)
    .sort((one, other) => other.failed - one.failed);
}

/** The keys of the hooks of blueprints that failed at an event, in insights about what they call. */
export function findInlineKeys(
  { decisions_by_agent }: Pick<Insights, "decisions_by_agent">,
  event: string,
): readonly { readonly key: string; readonly agent: string }[] {
  return decisions_by_agent
    .filter(({ agent, decisions }) => agent !== "" && (decisions.failed ?? 0) > 0)
    .map(({ agent }) => ({ key: `inline:${agent}/${event}`, agent }));
}
