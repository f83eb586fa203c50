import { HOOK_FINDINGS } from "@tenterhook/internal";
import type { UsedHook } from "@tenterhook/protocol/runs";
import { countText } from "../../components/count-text.ts";
import { durationText } from "../../components/durations.ts";
import { formatCount } from "../../components/format-count.ts";
import { formatShare } from "../../insights/format-numbers.ts";
import type { HookFacts } from "./hook-facts.ts";

/** Something about a hook that a person should know. */
export interface HookSentence {
  readonly about: "never_fired" | "always_passes" | "slow" | "failing";
  readonly title: string;
  readonly text: string;
}

const { fewCalls, fewDurations, failingShare, slowMs, slowRunHookMs } = HOOK_FINDINGS;
/** From this share of the time of runs on, a hook is slow, however short its calls are. */
const SLOW_SHARE = 0.1;

/** Whether so many of a hook's calls failed that it needs a person. */
export function isFailing({ calls, failed }: Pick<HookFacts, "calls" | "failed">): boolean {
  return failed > 0 && failed / calls >= failingShare;
}

/** What is worth saying about a hook; `period` is as in `in the last week`. The rules are in docs/dashboard.md. */
export function describeHook(
  facts: HookFacts,
  source: UsedHook["source"],
  period: string,
): readonly HookSentence[] {
  const { calls, passed, failed } = facts;
  if (calls === 0) {
    const text =
      source === "runner"
        ? `No runner reported a call of it ${period}. Its matcher may fit no tool call, or no agent with it ran.`
        : `No run called it ${period}. Perhaps no agent uses it, or none of them ran.`;
    return [{ about: "never_fired", title: "Never fired", text }];
  }
  const sentences: HookSentence[] = [];
  if (isFailing(facts)) {
    const text = `${formatCount(failed)} of ${countText(calls, "call")} failed ${period} (${formatShare(failed, calls)}).`;
    sentences.push({ about: "failing", title: "Failing", text });
  }
  const slow = describeSlow(facts, source, period);
  if (slow !== undefined) sentences.push({ about: "slow", title: "Slow", text: slow });
  if (passed === calls && calls >= fewCalls) {
    const text = `All ${formatCount(calls)} calls passed ${period}: it changed, refused and asked nothing.`;
    sentences.push({ about: "always_passes", title: "Always passes", text });
  }
  return sentences;
}

function describeSlow(
  { measured, p95Ms, hookMs, runMs }: HookFacts,
  source: UsedHook["source"],
  period: string,
): string | undefined {
  if (measured < fewDurations || p95Ms === null) return undefined;
  if (p95Ms >= (source === "runner" ? slowMs : slowRunHookMs))
    return `One call in twenty took ${durationText(p95Ms)} or longer ${period} (an estimate).`;
  if (runMs > 0 && hookMs / runMs >= SLOW_SHARE)
    return `Its calls took ${formatShare(hookMs, runMs)} of the time of the runs ${period} (an estimate).`;
  return undefined;
}
