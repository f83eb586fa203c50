import { eventRow } from "@tenterhook/protocol";
import { mayDecide } from "@tenterhook/protocol/internal";
import { planAnyName } from "../match/any-name.ts";
import type { PatternBudget } from "../match/pattern-budget.ts";
import type { MatchSubject } from "../match/subject.ts";
import type { Hook } from "../register/hook.ts";

/**
 * For every hook that is called once (`rejudge: false`) the names of the hooks behind it that may change the value; `running` are
 * the hooks that match it as it is. Hooks that only observe or are not enforced cannot change it: what the others do is not known before they run.
 */
export function laterChanges(
  hooks: readonly Hook[],
  running: ReadonlySet<Hook>,
  subject: MatchSubject,
  budget: PatternBudget,
): ReadonlyMap<Hook, readonly string[]> {
  const { changes, block } = eventRow(subject.event);
  // Where nothing can be changed, or a refusal would only be recorded, no hook is called again.
  if (Object.keys(changes).length === 0 || block.action === "record") return new Map();
  const candidates = hooks.filter(
    (hook) => mayDecide(hook.descriptor) && (running.has(hook) || mayMatch(hook, subject, budget)),
  );
  // A hook that does not match the value may match it once a hook before it has changed it.
  const firstChange = candidates.findIndex((hook) => running.has(hook));
  if (firstChange < 0) return new Map();
  return new Map(
    candidates.flatMap((hook, index) => {
      const behind = candidates.slice(Math.max(index + 1, firstChange));
      if (hook.descriptor.rejudge || behind.length === 0) return [];
      return [[hook, behind.map(({ descriptor }) => descriptor.name)] as const];
    }),
  );
}

/** Whether a hook may match another input of this tool. */
function mayMatch({ matcher }: Hook, { event, toolName, toolAliases }: MatchSubject, budget: PatternBudget) {
  if (matcher === undefined) return true;
  return planAnyName(matcher, event, toolName, toolAliases ?? [], budget).match !== "no";
}
