import { messageOf } from "@tenterhook/internal";
import { type EventName, eventRow, type HookDescriptor, type Payload } from "@tenterhook/protocol";
import { mayDecide, nativeNames } from "@tenterhook/protocol/internal";
import type { RunOptions } from "../context/dispatch-options.ts";
import { HookRunContext, newContext } from "../context/hook-context.ts";
import { matchAnyName, planAnyName } from "../match/any-name.ts";
import { areEffectsLoaded, describeMatch, unknownToolHint } from "../match/call-effects.ts";
import type { Matcher } from "../match/matcher.ts";
import { PatternBudget } from "../match/pattern.ts";
import { MatchSubject } from "../match/subject.ts";
import type { Hook } from "../register/hook.ts";
import type { HostGap } from "../register/inherited.ts";

/** What would happen to one hook. */
export interface ExplainedHook {
  readonly hook: HookDescriptor;
  readonly runs: boolean;
  /** In a sentence. */
  readonly why: string;
  /**
   * The names of the hooks behind it that may change the value, where it is not called again about their changes
   * (`rejudge: false`), even if they make its matcher match. Absent when there are none.
   */
  readonly calledOnceBefore?: readonly string[];
}

/** A plan in words: sync hooks in the order they would run, then the background ones. */
export interface Explanation {
  readonly event: EventName;
  readonly hooks: readonly ExplainedHook[];
  /** The hosts of the set that do not fire this event, so that none of its hooks is called there. Absent when there are none. */
  readonly notCalledBy?: readonly HostGap[];
}

export function explain<E extends EventName>(
  event: E,
  payload: Payload<E>,
  hooks: readonly Hook[],
  options?: RunOptions,
): Explanation {
  const context = newContext(event, payload, new HookRunContext(options));
  const subject = new MatchSubject(event, payload, context);
  const budget = new PatternBudget();
  const planned = hooks.map((hook) => ({ hook, explained: explainHook(hook, subject, budget) }));
  const runs = new Set(planned.filter(({ explained }) => explained.runs).map(({ hook }) => hook));
  const later = laterChanges(hooks, runs, subject, budget);
  const explained = planned.map(({ hook, explained: each }): ExplainedHook => {
    const calledOnceBefore = later.get(hook);
    return calledOnceBefore === undefined ? each : { ...each, calledOnceBefore };
  });
  const isSync = ({ hook }: ExplainedHook) => hook.mode === "sync";
  return { event, hooks: [...explained.filter(isSync), ...explained.filter((each) => !isSync(each))] };
}

function explainHook(
  { descriptor, matcher }: Hook,
  subject: MatchSubject,
  budget: PatternBudget,
): ExplainedHook {
  const explained = (runs: boolean, why: string) => ({ hook: descriptor, runs, why });
  if (matcher === undefined) return explained(true, "it has no matcher");
  if (matcher.needsEffects && !areEffectsLoaded())
    return explained(true, `${matcher.description} is not decided before \`await hooks.prepare(…)\``);
  try {
    switch (matchAnyName(matcher, subject, budget)) {
      case "yes":
        return explained(true, `${matcher.description} matches${effectFound(matcher, subject, budget)}`);
      case "no":
        return explained(
          false,
          `${matcher.description} does not match${noMatchHint(matcher, subject, budget)}`,
        );
      case "unknown":
        return explained(true, `${matcher.description} was too costly to decide, so the hook is called`);
    }
  } catch (error) {
    return explained(true, `its matcher throws (${messageOf(error)}), which counts as a failure of the hook`);
  }
}

/** What of the call it matches, where that is an effect. */
function effectFound({ findEffect }: Matcher, subject: MatchSubject, budget: PatternBudget): string {
  const found = findEffect?.(subject, budget);
  if (found === undefined) return "";
  return `: ${describeMatch(found).description}${found.isUnreadable ? ", which is asked about" : ""}`;
}

function noMatchHint(matcher: Matcher, subject: MatchSubject, budget: PatternBudget): string {
  const native = nativeNameHint(matcher, subject, budget);
  if (native !== "" || !matcher.needsEffects || subject.effects.effects !== undefined) return native;
  return `: ${unknownToolHint(subject.toolName ?? "")}`;
}

/** Which name hooks get, where the matcher is for a coding agent's name of the tool. One that matches any other name is not. */
function nativeNameHint(
  matcher: Matcher,
  { event, toolName = "" }: MatchSubject,
  budget: PatternBudget,
): string {
  const isFor = (name: string) => matcher.plan(event, name, budget) !== "no";
  const native = isFor("") ? undefined : nativeNames(toolName).find(isFor);
  return native === undefined ? "" : `: ${native} is a coding agent's name of ${toolName}, which hooks get`;
}

/**
 * For every hook that is called once (`rejudge: false`) the names of the hooks behind it that may change the value; `running` are
 * the hooks that match it as it is. Hooks that only observe or are not enforced cannot change it: what the others do is not known before they run.
 */
function laterChanges(
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
